import type { Statement } from '@app/platform/database/pg-reads/statement';
import { type AccessRow, isSuspended, type UsedGrant } from '@app/security/access/access.queries';
import { isLoginFresh, isSupported } from '@app/security/access/valid-logins';
import type { TreeLinkResponse } from './explanations.shapes';

/** A user with one credential, or a service key, as stored. Both may be invalid. */
export interface SubjectRow {
  /** Null for a service key. */
  readonly userId: number | null;
  readonly username: string;
  readonly organisationId: number;
  readonly roles: readonly string[];
  readonly enabled: boolean;
  /** Whether the organisation of the user or key is suspended, directly or from above. */
  readonly suspended: boolean;
  readonly secondFactor: string;
  readonly secondFactorDemanded: boolean;
  /** Whether the organisation of the user or key lies beneath that of the caller. */
  readonly beneath: boolean;
  /** Null if the request names the user by id. */
  readonly kind: AccessRow['kind'] | null;
  readonly credentialId: number;
  readonly name: string;
  readonly expired: boolean;
  readonly unusedTooLong: boolean;
  /** Whether the conditions of the support login no longer hold. */
  readonly unsupported: boolean;
  readonly expiresAt: number;
  readonly lastUsedAt: number | null;
  readonly readOnly: boolean;
  readonly whitelist: readonly string[];
}

const seconds = (moment: string): string => `floor(extract(epoch FROM ${moment}))::float8`;

/** $1 is the organisation of the caller. Finds no deleted user and no user of a deleted organisation. */
const subjectOf = (credential: string): Statement<SubjectRow> => ({
  text: `
    SELECT u.id AS "userId", u.username, o.id AS "organisationId", u.roles, coalesce(u.enabled, true) AS enabled,
      ${isSuspended('o.id')} AS suspended,
      u.second_factor AS "secondFactor", o.required_2fa AS "secondFactorDemanded",
      EXISTS (SELECT 1 FROM organisation_closure WHERE ancestor_id = $1 AND descendant_id = o.id) AS beneath,
      c.*
    FROM (${credential}) c
    LEFT JOIN users u ON u.id = c.user_id AND u.deleted_at IS NULL
    JOIN organisations o ON o.id = coalesce(u.organisation_id, c.organisation_id) AND o.deleted_at IS NULL`,
});

/** The user $2. */
export const SUBJECT_BY_USER = subjectOf(`
    SELECT $2::integer AS user_id, NULL::integer AS organisation_id, NULL AS kind, 0 AS "credentialId", '' AS name, false AS expired,
      false AS "unusedTooLong", false AS unsupported, 0 AS "expiresAt", NULL AS "lastUsedAt", false AS "readOnly", '{}'::text[] AS whitelist`);

/** The user or service key with the credential digest $2. An unused login ends after $3 seconds. */
export const SUBJECT_BY_DIGEST = subjectOf(`
    SELECT user_id, NULL::integer AS organisation_id, CASE WHEN staff_id IS NULL THEN 'login' ELSE 'support_login' END AS kind,
      id AS "credentialId", coalesce(support_reason, '') AS name, expires_at <= now() AS expired,
      expires_at > now() AND NOT (${isLoginFresh('logins', '$3')}) AS "unusedTooLong",
      NOT ${isSupported('logins', '$3')} AS unsupported,
      ${seconds('expires_at')} AS "expiresAt", ${seconds('last_used_at')} AS "lastUsedAt",
      coalesce(NOT support_write, false) AS "readOnly", '{}'::text[] AS whitelist
    FROM logins WHERE digest = $2
    UNION ALL
    SELECT user_id, NULL, 'api_key', id, name, expires_at <= now(), false, false, ${seconds('expires_at')},
      ${seconds('last_used_at')}, read_only, whitelist::text[]
    FROM api_keys WHERE digest = $2
    UNION ALL
    SELECT NULL, organisation_id, 'service_key', id, name, expires_at <= now(), false, false, ${seconds('expires_at')},
      ${seconds('last_used_at')}, false, whitelist
    FROM service_keys WHERE digest = $2`);

/**
 * How user $3 of organisation $1 with the credential $4 and $5, or a service key of it, reaches the addressed
 * organisation. Its SQL may use $2.
 */
export const reachOf = (
  organisation: string,
): Statement<{ readonly own: boolean; readonly beneath: boolean; readonly grant: UsedGrant | null }> => ({
  text: `
    SELECT o.id = $1 AS own,
      EXISTS (SELECT 1 FROM organisation_closure WHERE ancestor_id = $1 AND descendant_id = o.id) AS beneath,
      CASE WHEN $3::integer IS NOT NULL THEN used_grant($3, $1, o.id, $4, $5) END AS grant
    FROM organisations o WHERE o.id = ${organisation} AND o.deleted_at IS NULL`,
});

/**
 * The links of one path from organisation $2 up to $1. Each step takes the link that leads directly to $1, or
 * otherwise a link to another organisation beneath $1.
 */
export const LINKS_UPWARDS: Statement<TreeLinkResponse> = {
  text: `
    WITH RECURSIVE way AS (
      SELECT 1 AS step, $2::integer AS "organisationId", link.* FROM organisations o, ${linkOf('o')} WHERE o.id = $2
      UNION ALL
      SELECT way.step + 1, o.id, link.* FROM way JOIN organisations o ON o.id = way."aboveId", ${linkOf('o')}
      WHERE way."aboveId" <> $1
    )
    SELECT kind, "organisationId", "aboveId" FROM way ORDER BY step`,
};

function linkOf(alias: string): string {
  return `LATERAL (
        SELECT kind, above AS "aboveId"
        FROM (VALUES ('parent', ${alias}.parent_id, 1), ('reseller', ${alias}.reseller_id, 2)) links (kind, above, place)
        WHERE above = $1 OR EXISTS (
          SELECT 1 FROM organisation_closure WHERE ancestor_id = $1 AND descendant_id = above)
        ORDER BY above = $1 DESC, place LIMIT 1
      ) link`;
}

/** The grant $1. */
export const GRANT_AGE: Statement<{ readonly createdAt: number }> = {
  text: `SELECT ${seconds('created_at')} AS "createdAt" FROM acls WHERE id = $1`,
};
