import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { secondFactorMissing } from '@app/people/users/user.types';
import { presentedCredential } from '@app/security/access/presented-credential';
import { isLoginFresh } from '@app/security/access/valid-logins';
import { digestOf } from '@app/security/secrets/digest';
import { OtherFactors, type PresentedLogin } from '@app/sign-in/auth/other-factors';

const HAS_PASSKEY = `SELECT has_passkey($1) AS "hasPasskey"`;

/**
 * The login with digest $1 of the user $3, if a passkey made it that is still there. A login that is ending
 * waits for the transaction.
 */
const PASSKEY_LOGIN = `
  SELECT id FROM logins
  WHERE digest = $1 AND user_id = $3 AND passkey_id IS NOT NULL AND login_passes(user_id, passkey_id)
    AND staff_id IS NULL AND ${isLoginFresh('logins')}
  FOR KEY SHARE`;

/** Passkeys as second factors, beside the authenticator. */
@Injectable()
export class PasskeysAsFactors extends OtherFactors {
  /**
   * In no state of the authenticator (rule passkeys 27). The lock of the user's row keeps passkeys from being
   * added meanwhile.
   */
  async assertPassed(
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
}
