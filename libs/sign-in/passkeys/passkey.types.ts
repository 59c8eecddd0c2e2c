import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { type ConstraintErrors, fault, limitReached, ValidationFailed } from '@app/platform/errors/api-error';

/** Most passkeys of a user (decisions.md 12.10); a trigger of the table counts them. */
const MAX_PASSKEYS = 10;

/** Seconds that a challenge holds (decisions.md 12.10). */
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

/** Variable options of `navigator.credentials.create`. */
export interface CreationOptions {
  readonly challenge: string;
  readonly rp: { readonly id: string; readonly name: string };
  readonly user: { readonly id: string; readonly name: string; readonly displayName: string };
  /** Ids of the user's passkeys: one authenticator makes no second one. */
  readonly present: readonly string[];
}

/** Variable options of `navigator.credentials.get`. */
export interface RequestOptions {
  readonly challenge: string;
  readonly rpId: string;
}

/** 400: the authenticator's response does not belong to the last options of the user. */
export class PasskeyRefused extends ValidationFailed {
  constructor() {
    super({
      credential: [
        fault(
          'INVALID_PASSKEY',
          'This value should be a new passkey that verified its user, made on a page of this service with the last options, within five minutes.',
        ),
      ],
    });
  }
}

export const PASSKEY_CONSTRAINT_ERRORS: ConstraintErrors = {
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
