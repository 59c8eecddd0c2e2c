import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { FieldDescription } from '@app/platform/dto/described-fields';
import { field, TextField } from '@app/platform/dto/field.decorators';
import { refusing, Satisfies } from '@app/platform/dto/field-checks';
import { createShape, updateShape } from '@app/platform/dto/shapes';
import { NAME_RULES } from '@app/platform/dto/text-rules';
import { type FieldError, fieldError } from '@app/platform/errors/api-error';
import { StepUpCodeField, StepUpPasswordField, stepUpProof } from '@app/security/passwords/step-up-fields';
import type { NewPasskey, PasskeyInput, PasskeyLogin } from '../passkey.types';

/** Describes the fields of a passkey, in requests and responses. */
export const PASSKEY = {
  id: { type: 'integer', description: 'Identifier of the passkey', example: 6 },
  name: { description: 'What the passkey is called, for people', example: 'Phone' },
} as const satisfies Readonly<Record<string, FieldDescription>>;

/** Texts in an authenticator's response, at the top level and in its `response`. */
const TOP = ['id', 'rawId', 'type'] as const;
const REGISTRATION = ['clientDataJSON', 'attestationObject'] as const;
const ASSERTION = ['clientDataJSON', 'authenticatorData', 'signature'] as const;

/** Result of `PublicKeyCredential.toJSON()` in a browser. */
const CredentialField = (texts: readonly string[], example: object, description: string): PropertyDecorator =>
  field(
    { required: true, description, example },
    {
      emptyIsAbsent: false,
      documentation: { type: 'object', additionalProperties: true },
      checks: [
        Satisfies('isCredential', (value) => isCredential(value, texts), refusing(noCredential(texts))),
      ],
    },
  );

const noCredential = (texts: readonly string[]): FieldError =>
  fieldError(
    'WRONG_TYPE',
    `This value should be an object with the texts ${TOP.join(', ')} and, in response, ${texts.join(', ')}.`,
  );

function isCredential(value: unknown, texts: readonly string[]): boolean {
  const { response, ...top } = objectOf(value);
  return areTexts(top, TOP) && areTexts(objectOf(response), texts);
}

const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

const areTexts = (value: Readonly<Record<string, unknown>>, names: readonly string[]): boolean =>
  names.every((name) => typeof value[name] === 'string');

/** Body of `POST …/passkeys/options`. */
class PasskeyProofDto {
  @StepUpPasswordField('Required: the present password') password?: unknown;
  @StepUpCodeField('The code of the authenticator, or a recovery code, where two-factor login is on')
  '6digitCode'?: unknown;
}

export const proofShape = updateShape(PasskeyProofDto, stepUpProof);

/** Body of DELETE. It is read only with `STEP_UP`. */
class DeletePasskeyDto {
  @StepUpPasswordField() password?: unknown;
  @StepUpCodeField() '6digitCode'?: unknown;
}

export const deletePasskeyShape = updateShape(DeletePasskeyDto, stepUpProof);

/** Body of POST. */
class CreatePasskeyDto {
  @TextField({ max: 255, required: true, rules: NAME_RULES, ...PASSKEY.name }) name!: string;

  @CredentialField(
    REGISTRATION,
    {
      id: 'AbQ2',
      rawId: 'AbQ2',
      type: 'public-key',
      response: {
        clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0',
        attestationObject: 'o2NmbXRkbm9uZQ',
      },
      clientExtensionResults: { credProps: { rk: true } },
    },
    'The response to `navigator.credentials.create`, by its `toJSON()`: `RegistrationResponseJSON` of WebAuthn',
  )
  credential!: RegistrationResponseJSON;
}

export const createPasskeyShape = createShape(CreatePasskeyDto, (dto): NewPasskey => ({
  name: dto.name,
  credential: dto.credential,
}));

/** Body of PUT. */
class UpdatePasskeyDto {
  @TextField({ max: 255, required: true, ...PASSKEY.name }) name!: string;
}

export const updatePasskeyShape = updateShape(UpdatePasskeyDto, (dto): PasskeyInput => ({ name: dto.name }));

/** Body of `POST /login/passkey`. */
class PasskeyLoginDto {
  @CredentialField(
    ASSERTION,
    {
      id: 'AbQ2',
      rawId: 'AbQ2',
      type: 'public-key',
      response: {
        clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
        authenticatorData: 'SZYN5Q',
        signature: 'MEUCIQ',
        userHandle: 'YWNjb3VudDo3',
      },
      clientExtensionResults: {},
    },
    'The response to `navigator.credentials.get`, by its `toJSON()`: `AuthenticationResponseJSON` of WebAuthn',
  )
  credential!: AuthenticationResponseJSON;
}

export const passkeyLoginShape = createShape(PasskeyLoginDto, (dto): PasskeyLogin => ({
  credential: dto.credential,
}));
