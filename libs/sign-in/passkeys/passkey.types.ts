import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import {
  type ConstraintErrors,
  fieldError,
  limitReached,
  ValidationFailed,
} from '@app/platform/errors/api-error';
import { CREDENTIAL_ENDED } from '@app/security/access/credential-refusals';

/** Maximum passkeys of a user (rule passkeys 9). A trigger of the table counts them. */
const MAX_PASSKEYS = 10;

/** Seconds for which a challenge is valid (rule passkeys 13). */
export const CHALLENGE_TTL = 300;

/** Body of POST. */
export interface NewPasskey {
  readonly name: string;
  readonly credential: RegistrationResponseJSON;
}

/** Body of PUT. */
export interface PasskeyInput {
  readonly name: string;
}

/** Body of `POST /login/passkey`. */
export interface PasskeyLogin {
  readonly credential: AuthenticationResponseJSON;
}

/** The options of `navigator.credentials.create` that vary. */
export interface CreationOptions {
  readonly challenge: string;
  readonly rp: { readonly id: string; readonly name: string };
  readonly user: { readonly id: string; readonly name: string; readonly displayName: string };
  /** Ids of the user's passkeys, so that an authenticator does not create a second one. */
  readonly present: readonly string[];
}

/** The options of `navigator.credentials.get` that vary. */
export interface RequestOptions {
  readonly challenge: string;
  readonly rpId: string;
}

/** 400: the authenticator's response matches none of the user's open options. */
export const passkeyRefused = (): ValidationFailed =>
  ValidationFailed.on(
    'credential',
    fieldError(
      'INVALID_PASSKEY',
      'This value should be a new passkey that verified its user, made on a page of this service with one of the last five options, within five minutes.',
    ),
  );

export const PASSKEY_CONSTRAINT_ERRORS: ConstraintErrors = {
  passkeys_of_who_may_log_in: CREDENTIAL_ENDED,
  passkeys_limit_of_user: limitReached(`A user has at most ${MAX_PASSKEYS} passkeys.`),
  passkeys_credential_unique: {
    field: 'credential',
    reason: 'ALREADY_TAKEN',
    message: 'This passkey is already in use.',
  },
  passkeys_public_key_fits: {
    field: 'credential',
    reason: 'TOO_LONG',
    message: 'The public key of this passkey should have 2,048 bytes or less.',
  },
  passkeys_credential_fits: {
    field: 'credential',
    reason: 'TOO_LONG',
    message: 'The id of this passkey should have 1,023 bytes or less.',
  },
};
