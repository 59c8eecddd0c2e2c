import { ResponseField, responseShape, singleOf } from '@app/platform/dto/shapes';
import { listOf } from '@app/platform/lists/list-request';
import { PASSKEY_COLUMNS, type PasskeyDetails } from '../passkey.columns';
import { CHALLENGE_TTL, type CreationOptions, type RequestOptions } from '../passkey.types';
import { COSE_ALGORITHMS } from '../webauthn';
import {
  createPasskeyShape,
  deletePasskeyShape,
  PASSKEY,
  passkeyLoginShape,
  proofShape,
  updatePasskeyShape,
} from './passkey.dto';

const OPTIONS = {
  challenge: {
    description: 'What the authenticator signs, base64url',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  },
  timeout: { type: 'integer', description: 'Milliseconds that the challenge holds', example: 300_000 },
  userVerification: {
    description: 'Always: the authenticator asks for a PIN, a finger or a face',
    example: 'required',
  },
} as const;

class RelyingPartyResponse {
  @ResponseField({ description: 'The domain of the passkeys', example: 'example.com' }) id!: string;
  @ResponseField({ description: 'What authenticators show', example: 'example.com' }) name!: string;
}

class PasskeyUserResponse {
  @ResponseField({
    description: 'Identifier of the user for authenticators, base64url',
    example: 'YWNjb3VudDo3',
  })
  id!: string;

  @ResponseField({ description: 'User name', example: 'jan@example.com' }) name!: string;
  @ResponseField({ description: 'Full name of the user', example: 'Jan Bakker' }) displayName!: string;
}

class PasskeyAlgorithmResponse {
  @ResponseField({ description: 'Always the same', example: 'public-key' }) type!: string;
  @ResponseField({ type: 'integer', description: 'Number of an algorithm in COSE', example: -7 })
  alg!: number;
}

class PresentPasskeyResponse {
  @ResponseField({ description: 'Identifier of the credential, base64url', example: 'AbQ2' }) id!: string;
  @ResponseField({ description: 'Always the same', example: 'public-key' }) type!: string;
}

class AuthenticatorSelectionResponse {
  @ResponseField({ description: 'Always: the authenticator knows its user by itself', example: 'required' })
  residentKey!: string;

  @ResponseField({ type: 'boolean', description: 'The same, for older browsers', example: true })
  requireResidentKey!: boolean;
  @ResponseField(OPTIONS.userVerification) userVerification!: string;
}

class PasskeyExtensionsResponse {
  @ResponseField({
    type: 'boolean',
    description: 'Asks the browser whether the key is resident',
    example: true,
  })
  credProps!: boolean;
}

/** `PublicKeyCredentialCreationOptionsJSON` of WebAuthn Level 3. */
export class CreationOptionsResponse {
  @ResponseField(OPTIONS.challenge) challenge!: string;
  @ResponseField({ type: RelyingPartyResponse, description: 'The service' }) rp!: RelyingPartyResponse;
  @ResponseField({ type: PasskeyUserResponse, description: 'The user' }) user!: PasskeyUserResponse;

  @ResponseField({ type: [PasskeyAlgorithmResponse], description: 'Accepted kinds of keys, the best first' })
  pubKeyCredParams!: PasskeyAlgorithmResponse[];

  @ResponseField(OPTIONS.timeout) timeout!: number;

  @ResponseField({
    type: [PresentPasskeyResponse],
    description: 'Passkeys of the user: their authenticators make no other',
  })
  excludeCredentials!: PresentPasskeyResponse[];

  @ResponseField({
    type: AuthenticatorSelectionResponse,
    description: 'What the authenticator must be able to do',
  })
  authenticatorSelection!: AuthenticatorSelectionResponse;

  @ResponseField({ description: 'Always: the maker of the authenticator does not matter', example: 'none' })
  attestation!: string;

  @ResponseField({ type: PasskeyExtensionsResponse, description: 'What else the browser should tell' })
  extensions!: PasskeyExtensionsResponse;
}

/** `PublicKeyCredentialRequestOptionsJSON` of WebAuthn Level 3. */
export class RequestOptionsResponse {
  @ResponseField(OPTIONS.challenge) challenge!: string;
  @ResponseField({ description: 'The domain of the passkeys', example: 'example.com' }) rpId!: string;
  @ResponseField(OPTIONS.timeout) timeout!: number;
  @ResponseField(OPTIONS.userVerification) userVerification!: string;
}

/** A passkey. */
export class PasskeyResponse {
  @ResponseField(PASSKEY.id) id!: number;
  @ResponseField(PASSKEY.name) name!: string;
  @ResponseField({ description: 'When it was added, in Unix seconds', example: '1767225600' })
  dtCreated!: string;

  @ResponseField({
    description: 'When it last logged the user in, in Unix seconds; empty: never',
    example: '1767229200',
  })
  dtLastUsed!: string;

  @ResponseField({
    type: 'boolean',
    description: 'Whether a password manager or the like keeps a copy, as of its last use',
    example: true,
  })
  backedUp!: boolean;
}

const toPasskeyResponse = (passkey: PasskeyDetails): PasskeyResponse => ({
  id: passkey.id,
  name: passkey.name,
  dtCreated: String(passkey.createdAt),
  dtLastUsed: String(passkey.lastUsedAt ?? ''),
  backedUp: passkey.backedUp,
});

const TYPE = 'public-key';
const MILLISECONDS = CHALLENGE_TTL * 1000;

/** The request and response shapes of passkeys, which only Variant A has. */
export class PasskeysShapes {
  /** Body of `POST …/passkeys/options`. */
  readonly proof = proofShape;
  readonly create = createPasskeyShape;
  readonly update = updatePasskeyShape;
  /** Body of `DELETE …/passkeys/{passkeyId}`. */
  readonly delete = deletePasskeyShape;
  /** Body of `POST /login/passkey`. */
  readonly login = passkeyLoginShape;
  /** Response of `POST …/passkeys/options`. */
  readonly creationOptions = responseShape(
    CreationOptionsResponse,
    ({ challenge, rp, user, present }: CreationOptions) => ({
      challenge,
      rp: { id: rp.id, name: rp.name },
      user: { id: user.id, name: user.name, displayName: user.displayName },
      pubKeyCredParams: COSE_ALGORITHMS.map((alg) => ({ type: TYPE, alg })),
      timeout: MILLISECONDS,
      excludeCredentials: present.map((id) => ({ id, type: TYPE })),
      authenticatorSelection: {
        residentKey: 'required',
        requireResidentKey: true,
        userVerification: 'required',
      },
      attestation: 'none',
      extensions: { credProps: true },
    }),
  );
  /** Response of `POST /login/passkey/options`. */
  readonly requestOptions = responseShape(RequestOptionsResponse, ({ challenge, rpId }: RequestOptions) => ({
    challenge,
    rpId,
    timeout: MILLISECONDS,
    userVerification: 'required',
  }));
  /** Response of POST and of the single read. */
  readonly single = singleOf('passkey', PasskeyResponse, toPasskeyResponse);
  readonly list = listOf('passkeys', PASSKEY_COLUMNS, PasskeyResponse, toPasskeyResponse, {
    orders: {
      dtCreated: 'createdAt',
      dtLastUsed: 'lastUsedAt',
    },
    total: 'How many passkeys the whole list has, all pages together',
  });
}
