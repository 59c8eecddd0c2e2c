import type { EntityManager } from 'typeorm';
import { secondFactorMissing } from '@app/people/users/user.types';
import { presentedCredential } from '@app/security/access/presented-credential';
import { isLoginFresh } from '@app/security/access/valid-logins';
import { digestOf } from '@app/security/secrets/digest';

const HAS_PASSKEY = `SELECT has_passkey($1) AS "hasPasskey"`;

/**
 * The login with digest $1 of the user $3, if a passkey made it that still counts. A login that is ending
 * waits for the transaction.
 */
const PASSKEY_LOGIN = `
  SELECT id FROM logins
  WHERE digest = $1 AND user_id = $3 AND passkey_id IS NOT NULL AND login_passes(user_id, passkey_id)
    AND staff_id IS NULL AND ${isLoginFresh('logins')}
  FOR KEY SHARE`;

/** What a request presents beside the password. */
export interface PresentedLogin {
  /** The `Authorization` header. */
  readonly authorization: string | undefined;
  /** Seconds without use after which a login is too old. */
  readonly idleTtl: number;
}

/**
 * A password does not replace a passkey, in no state of the authenticator: its user sets an authenticator up
 * with a login that the passkey made (rule passkeys 28). Throws 401 otherwise. Lock the user's row first,
 * so that no passkey is added meanwhile.
 */
export async function assertPasskeyPassed(
  manager: EntityManager,
  userId: number,
  { authorization, idleTtl }: PresentedLogin,
): Promise<void> {
  const [user] = await manager.query<{ hasPasskey: boolean }[]>(HAS_PASSKEY, [userId]);
  if (user?.hasPasskey !== true) return;
  const credential = presentedCredential(authorization);
  const logins =
    credential === undefined
      ? []
      : await manager.query<unknown[]>(PASSKEY_LOGIN, [digestOf(credential), idleTtl, userId]);
  if (logins.length === 0) throw secondFactorMissing('SECOND_FACTOR_REQUIRED');
}
