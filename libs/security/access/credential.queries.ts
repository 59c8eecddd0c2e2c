import { isLoginAlive } from './valid-logins';

/** Columns that only a service key has. Other credentials take them from their user. */
const OF_USER = `NULL::integer AS organisation_id, NULL::text AS name, NULL::text[] AS roles, NULL::text[] AS operations,
        true AS beneath`;

/** Of a credential that no link has made. */
const NO_LINK = 'NULL::text AS service_key_name';

const IS_STALE = `last_used_at IS NULL OR last_used_at < now() - interval '1 minute'`;

/** SELECT of the login or support login that meets the condition. */
const loginWith = (condition: string, more = ''): string => `
      SELECT CASE WHEN staff_id IS NULL THEN 'login' ELSE 'support_login' END AS kind, id, user_id,
        NULL::text[] AS whitelist, coalesce(NOT support_write, false) AS read_only,
        last_used_at < now() - interval '1 minute' AS stale, staff_id, service_key_name, ${OF_USER}${more}
      FROM logins
      WHERE ${condition} AND ${isLoginAlive('logins')}`;

/** SELECT of the service key that meets the condition, as a credential. */
const serviceKeyWith = (condition: string, more = ''): string => `
      SELECT 'service_key' AS kind, id, NULL::integer AS user_id, whitelist, false AS read_only, ${IS_STALE} AS stale,
        NULL::integer AS staff_id, ${NO_LINK}, organisation_id, name,
        ARRAY[CASE WHEN as_admin THEN 'ROLE_ADMIN' ELSE 'ROLE_CUSTADMIN' END] AS roles, operations,
        reaches_beneath OR as_admin AS beneath${more}
      FROM service_keys
      WHERE ${condition} AND expires_at > now()`;

/** SELECT of the API key or service key that meets the condition. */
const keyWith = (condition: string, more = ''): string => `
      SELECT 'api_key' AS kind, id, user_id, whitelist, read_only, ${IS_STALE} AS stale,
        NULL::integer AS staff_id, ${NO_LINK}, ${OF_USER}${more}
      FROM api_keys
      WHERE ${condition} AND expires_at > now()
      UNION ALL ${serviceKeyWith(condition, more)}`;

/**
 * The credential with the digest $1, of any kind. $2 is the number of seconds that a login lives after its
 * last use. LIMIT stops the search at the first match.
 */
export const PRESENTED = `${loginWith('digest = $1')}
      UNION ALL ${keyWith('digest = $1')}
      LIMIT 1`;

/**
 * The credentials with the digest $1 and with the digest in the parameter `token`. One search
 * for both costs half of two.
 */
export const presentedAndIntrospected = (token: string): string => {
  const condition = `digest IN ($1, ${token})`;
  const more = `, created_at, expires_at, digest = $1 AS is_presented, digest = ${token} AS is_introspected`;
  return `${loginWith(condition, more)}
      UNION ALL ${keyWith(condition, more)}
      LIMIT 2`;
};
