import { byKey } from '@app/platform/database/pg-reads/database-reads';

/**
 * SQL condition: a login is not too old. `idleSeconds` is the parameter with its lifetime after the last use.
 */
export const isLoginFresh = (alias: string, idleSeconds = '$2'): string =>
  `${alias}.expires_at > now() AND ${alias}.last_used_at > now() - make_interval(secs => ${idleSeconds})`;

/**
 * SQL condition: the support login is still allowed (rule support 29, rule support 30). Its staff member must
 * be an admin, the login that began it must not be too old and pass the second factor, its user must not be
 * an admin, and the organisation must allow it. Triggers delete a support login once this is false, so that
 * it never becomes valid again.
 */
const isSupported = (alias: string, idleSeconds = '$2'): string => `(${alias}.staff_id IS NULL OR EXISTS (
        SELECT FROM users staff, users held, logins begun
        WHERE begun.id = ${alias}.begun_with AND ${isLoginFresh('begun', idleSeconds)}
          AND staff.id = ${alias}.staff_id AND staff.enabled AND staff.deleted_at IS NULL
          AND 'ROLE_ADMIN' = ANY (staff.roles) AND login_passes(staff.id, begun.passkey_id)
          AND held.id = ${alias}.user_id AND NOT 'ROLE_ADMIN' = ANY (held.roles)
          AND allows_support(held.organisation_id, ${alias}.support_write) OFFSET 0))`;

/** SQL condition: a login is valid. */
export const isLoginAlive = (alias: string, idleSeconds?: string): string =>
  `${isLoginFresh(alias, idleSeconds)} AND ${isSupported(alias, idleSeconds)}`;

/**
 * Re-checks support login $1, which CredentialLookup asks for support logins only. $2
 * as in {@link isLoginFresh}.
 */
export const RECHECK_SUPPORT_LOGIN = byKey(
  `/* support */ SELECT id FROM logins WHERE id = $1 AND ${isSupported('logins')}`,
);
