import { TextField } from '@app/platform/dto/field.decorators';
import {
  createShape,
  type EveryField,
  ResponseField,
  responseShape,
  singleOf,
  updateShape,
} from '@app/platform/dto/shapes';
import {
  STEP_UP_CODE,
  STEP_UP_PASSWORD,
  stepUpProof,
  TOTP_DIGITS,
} from '@app/security/passwords/step-up-fields';
import type { LoginInput, MadeRecoveryCodes, PasswordLogin, RecoveryCodeCount } from '../auth.types';
import { LOGIN } from '../shapes/shared/login-parts.response';
import { ActivateTwoFactorDto, PasswordLoginDto } from '../shapes/variant-a/auth.shapes';

/** Body of `PATCH …/disable2fa`. It is read only with `STEP_UP`. */
class DisableTwoFactorDto {
  @TextField({ max: 4096, nullable: true, format: 'password', description: STEP_UP_PASSWORD })
  password?: string | null;

  @TextField({ max: 32, digits: TOTP_DIGITS, nullable: true, example: '123456', description: STEP_UP_CODE })
  '6digitCode'?: string | null;
}

/** Body of `POST …/recoverycodes`. It is read only with `STEP_UP`. */
class MakeRecoveryCodesDto {
  @TextField({ max: 4096, nullable: true, format: 'password', description: STEP_UP_PASSWORD })
  password?: string | null;

  @TextField({
    max: 32,
    digits: TOTP_DIGITS,
    nullable: true,
    example: '123456',
    description: 'With STEP_UP: the code of the authenticator; no recovery code',
  })
  '6digitCode'?: string | null;
}

/** Response of `POST /enable2faandget2fasecret`. */
export class TwoFactorSecretResponse {
  @ResponseField(LOGIN.success) success!: boolean;

  @ResponseField({
    description:
      'The secret for the authenticator, base32 (TOTP, SHA-1, 6 digits, 30 seconds); another one each time',
    example: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  })
  secret!: string;
}

/** Response of `POST /cancel2faActivation`. */
export class CancelActivationResponse {
  @ResponseField(LOGIN.success) success!: boolean;
}

/** The number of a user's recovery codes. */
export class RecoveryCodeCountResponse {
  @ResponseField({
    type: 'integer',
    description: 'Codes that were not used',
    minimum: 0,
    maximum: 10,
    example: 9,
  })
  left!: number;

  @ResponseField({
    description: 'When the set was made, in Unix seconds; empty: there is none',
    example: '1767225600',
  })
  dtCreated!: string;
}

/** New codes. No other response contains them. */
export class RecoveryCodeSetResponse extends RecoveryCodeCountResponse {
  @ResponseField({
    type: ['string'],
    description: 'Each is good once, sent as `6digitCode` of a login; answered this once',
    example: ['7k3xp-q0w9d'],
  })
  codes!: string[];
}

const toCount = ({ left, createdAt }: RecoveryCodeCount): RecoveryCodeCountResponse => ({
  left,
  dtCreated: String(createdAt ?? ''),
});

/** The request and response shapes of setting two-factor login up. */
export class TwoFactorShapes {
  readonly passwordLogin = createShape(PasswordLoginDto, (dto): PasswordLogin => ({
    username: dto.username,
    password: dto.password,
  }));
  readonly activate = createShape(ActivateTwoFactorDto, (dto): EveryField<LoginInput> => ({
    username: dto.username,
    password: dto.password,
    code: dto['6digitCode'],
    trustThisDevice: dto.trustThisDevice ?? false,
    deviceToken: undefined,
  }));
  readonly disable = updateShape(DisableTwoFactorDto, stepUpProof);
  readonly makeRecoveryCodes = updateShape(MakeRecoveryCodesDto, stepUpProof);
  readonly secret = responseShape(TwoFactorSecretResponse, (secret: string) => ({ success: true, secret }));
  readonly cancelled = responseShape(CancelActivationResponse, (_: void) => ({ success: true }));
  readonly recoveryCodeCount = singleOf('recoveryCodes', RecoveryCodeCountResponse, toCount, {
    as: 'RecoveryCodesResponse',
    description: 'The set, without its codes',
  });
  readonly madeRecoveryCodes = singleOf(
    'recoveryCodes',
    RecoveryCodeSetResponse,
    (made: MadeRecoveryCodes) => ({ ...toCount(made), codes: [...made.codes] }),
    { as: 'MadeRecoveryCodesResponse', description: 'The set that takes the place of the one before' },
  );
}
