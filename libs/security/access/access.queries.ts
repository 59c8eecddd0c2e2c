import { prepared } from '@app/platform/database/pg-reads/database-reads';
import { tagOf, type VersionedRecord } from '@app/platform/context/addressed-version';
import type { PathRecord, PresentedCredential } from './access.types';
import { freshLoginOf, PRESENTED_KEY, PRESENTED_LOGIN, presentedWithAnother } from './credential.queries';
import type { Role } from './roles';
import type { PreparedStatement, Statement } from '@app/platform/database/pg-reads/statement';

/**
 * SQL condition: the organisation is suspended, or lies beneath one that is suspended with its subtree. Computed by index at
 * every use and never stored, so moving an organisation needs no update. OFFSET 0 forces one look-up for the organisation
 * and for each ancestor; otherwise the planner reads all suspensions if it expects few.
 */
export const isSuspended = (organisation: string): string => `(
    EXISTS (SELECT FROM suspensions held WHERE held.organisation_id = ${organisation} AND held.itself OFFSET 0)
    OR EXISTS (SELECT FROM organisation_closure way CROSS JOIN LATERAL (
        SELECT FROM suspensions held WHERE held.organisation_id = way.ancestor_id AND held.beneath OFFSET 0) held
      WHERE way.descendant_id = ${organisation} OFFSET 0))`;

/** The records that a route addresses. They are fixed at start, so each route has one prepared statement. */
export interface RouteAddress {
  /** By its own identifier. A path without one may address an organisation by a record. */
  readonly organisation: boolean;
  readonly user: boolean;
  readonly records: readonly (PathRecord & {
    readonly parameter: string;
    /** Whether it precedes the user in the path, as a team precedes its member. */
    readonly isBeforeUser: boolean;
  })[];
  /** The record whose state the route's entity tag names. */
  readonly version?: VersionedRecord | undefined;
}

/** The row of the access query. It has a column about a record if the route addresses one; null means that it does not exist. */
export interface AccessRow {
  readonly kind: PresentedCredential['kind'];
  readonly credential_id: number;
  readonly whitelist: readonly string[] | null;
  /** An API key or support login that may only GET and HEAD. */
  readonly read_only: boolean;
  /** "Last used" is over a minute old and needs an update. */
  readonly stale: boolean;
  /** Null for a service key, which has no user. */
  readonly user_id: number | null;
  readonly organisation_id: number;
  readonly username: string;
  readonly full_name: string;
  /** The staff member behind a support login; null for every other credential. */
  readonly staff_id: number | null;
  /** The roles that the caller acts with. */
  readonly roles: readonly Role[];
  /** The operations and groups of a service key; null for a user, who may do what the roles allow. */
  readonly operations: readonly string[] | null;
  /** The roles hold beneath the organisation of the caller too. */
  readonly reaches_beneath: boolean;
  readonly addressed_organisation_id?: number | null;
  readonly beneath?: boolean;
  /** The grant of the addressed organisation that the caller uses; null for its own. */
  readonly used_grant?: UsedGrant | null;
  readonly addressed_user_id?: number | null;
  readonly addressed_user_roles?: readonly Role[] | null;
  readonly addressed_username?: string | null;
  /** Position of the first missing record of the path; null if all exist. */
  readonly missing_record?: number | null;
  /** The tag of the addressed record's state, on routes that have one; null without a row. */
  readonly tag?: string | null;
  /** A standby answered, which may not know yet that the credential has ended. */
  readonly on_standby: boolean;
  /** The token that the request asks about: see `@AsksAbout`. */
  readonly about?: TokenRow | undefined;
}

/** A grant that counts now and that the caller uses; the function `used_grant` of the database finds it. */
export interface UsedGrant {
  readonly id: number;
  readonly access: 'read' | 'manage';
  /** It is to manage, and the organisation demands a second factor that the caller does not have. */
  readonly lacksSecondFactor: boolean;
}

/** The record of the path that says which organisation it addresses, if any. */
export const leadingRecord = ({ records }: RouteAddress): RouteAddress['records'][number] | undefined =>
  records.find(({ organisation }) => organisation !== undefined);

/** SQL of the id of the organisation of such a record, whose identifier is the parameter. */
export const organisationOf = (
  { table, key = 'id', condition = 'true', organisation }: PathRecord,
  parameter: string,
): string =>
  `(SELECT record.${organisation} FROM ${table} record WHERE record.${key} = ${parameter} AND ${condition})`;

/** The statements that find a caller: one for each place where its credential may be. Most requests need only one. */
export interface AccessStatements {
  readonly login: PreparedStatement<AccessRow>;
  readonly key: PreparedStatement<AccessRow>;
}

/**
 * One statement finds the caller, checks that the addressed records exist and how they relate to the caller. Without a
 * cache, a revocation on any node holds for the next request. Logins and keys have a statement each: PostgreSQL prepares
 * to search every table of a statement, so one for both took 54 instead of 33 microseconds (a login, `GET /whoami`).
 * Parameters: $1 digest of the credential, $2 seconds that a login lives after its last use, then the identifiers of the
 * path in order.
 */
export const accessStatements = (address: RouteAddress): AccessStatements => ({
  login: prepared(`/* access */ ${accessQuery(address, PRESENTED_LOGIN)}`),
  key: prepared(`/* access */ ${accessQuery(address, PRESENTED_KEY)}`),
});

/** A path that addresses nothing. */
export const NOTHING: RouteAddress = { organisation: false, user: false, records: [] };

/** The row of the caller, or of the token that a request asks about; or one of both, where it asks about its own. */
export interface TokenRow extends AccessRow {
  readonly presented: boolean;
  readonly asked: boolean;
  /** Unix seconds. */
  readonly issued_at: number;
  /** Unix seconds. */
  readonly ends_at: number;
  readonly has_second_factor: boolean;
}

/** The access query that also finds the token with the digest in the last parameter: a second statement would cost as much again. */
export const askingStatement = (address: RouteAddress): PreparedStatement<TokenRow> => {
  const { organisation, user, records } = address;
  const asked = `$${3 + Number(organisation) + Number(user) + records.length}`;
  return prepared(
    `/* access, token */ ${accessQuery(
      address,
      presentedWithAnother(asked),
      `credential.presented, coalesce(credential.asked, false) AS asked,
      floor(extract(epoch FROM credential.created_at))::float8 AS issued_at,
      floor(extract(epoch FROM credential.expires_at))::float8 AS ends_at,
      coalesce(caller.second_factor = 'enabled', false) AS has_second_factor,`,
    )}`,
  );
};

/** The access query for a login of the user with the id $1. It is rare, so no connection keeps it prepared. */
export const accessStatementOfUser = (address: RouteAddress): Statement => ({
  // PostgreSQL needs a use of $2.
  text: accessQuery(address, `${freshLoginOf('$1::integer')} WHERE $2::float8 IS NOT NULL`),
});

function accessQuery(address: RouteAddress, credential: string, more = ''): string {
  const userParameter = address.organisation ? 4 : 3;
  const firstRecord = userParameter + (address.user ? 1 : 0);
  const leading = leadingRecord(address);
  const byRecord = leading && organisationOf(leading, `$${firstRecord + address.records.indexOf(leading)}`);
  const addressed = address.organisation
    ? byRecord === undefined
      ? '$3'
      : `coalesce(${byRecord}, $3)`
    : byRecord;
  const ownerOf = ({ owner, within }: PathRecord): string => {
    if (owner === undefined || within === undefined) return '';
    return ` AND record.${owner} = ${idOf(within)}`;
  };
  const idOf = (within: NonNullable<PathRecord['within']>): string => {
    if (within === 'user') return 'addressed_user.id';
    if (within === 'organisation') return 'addressed.id';
    return parameterOf(within.parameter);
  };
  const parameterOf = (name: string): string => {
    if (name === 'organisationId') return '$3';
    if (name === 'userId') return `$${userParameter}`;
    return `$${firstRecord + address.records.findIndex(({ parameter }) => parameter === name)}`;
  };
  const { version } = address;
  const missing = address.records.map((record, index) => {
    const condition = record.condition === undefined ? '' : ` AND ${record.condition}`;
    return `WHEN NOT EXISTS (SELECT 1 FROM ${record.table} record
      WHERE record.${record.key ?? 'id'} = $${firstRecord + index}${ownerOf(record)}${condition}) THEN ${index}`;
  });
  const sharing = (record: PathRecord, index: number): string[] =>
    (record.sharedWith ?? []).map(
      (column) => `EXISTS (SELECT 1 FROM ${record.table} record
        WHERE record.${record.key ?? 'id'} = $${firstRecord + index}${ownerOf(record)}
          AND (record.${column} = caller.organisation_id OR EXISTS (SELECT 1 FROM organisation_closure
            WHERE ancestor_id = caller.organisation_id AND descendant_id = record.${column})))`,
    );
  return accessRows({
    credential,
    more: `${more} ${version === undefined ? '' : `${tagOf(version, parameterOf(version.parameter))} AS tag,`}`,
    organisation: addressed,
    user: address.user ? `$${userParameter}` : undefined,
    sharing: address.records.flatMap(sharing),
    missing: missing.length === 0 ? undefined : `CASE ${missing.join(' ')} END`,
  });
}

/** The parts of the access query, as SQL. */
interface AccessParts {
  /** Finds the credential. */
  readonly credential: string;
  /** Further columns, each with a comma after it. */
  readonly more?: string;
  /** Ids of what is addressed. */
  readonly organisation: string | undefined;
  readonly user: string | undefined;
  /** Conditions under which the addressed organisation counts as beneath that of the caller. */
  readonly sharing?: readonly string[];
  /** Position of the first missing record. */
  readonly missing?: string | undefined;
}

/** Finds the caller of a credential, what it addresses, and how the two relate: an {@link AccessRow}. */
export function accessRows({
  credential,
  more = '',
  organisation: addressed,
  user,
  sharing = [],
  missing,
}: AccessParts): string {
  return `
    SELECT pg_is_in_recovery() AS on_standby, ${more}
      credential.kind, credential.id AS credential_id, credential.whitelist, credential.read_only,
      credential.stale, credential.staff_id,
      caller.id AS user_id, own.id AS organisation_id,
      coalesce(caller.username, 'servicekey:' || credential.id) AS username,
      coalesce(caller.first_name || ' ' || caller.last_name, credential.name) AS full_name,
      coalesce(caller.roles, credential.roles) AS roles, credential.operations,
      credential.beneath AS reaches_beneath
      ${addressed === undefined ? '' : organisationColumns(sharing)}
      ${
        user === undefined
          ? ''
          : `, addressed_user.id AS addressed_user_id, addressed_user.roles AS addressed_user_roles,
      addressed_user.username AS addressed_username`
      }
      ${missing === undefined ? '' : `, ${missing} AS missing_record`}
    FROM (${credential}
    ) credential
    LEFT JOIN users caller ON caller.id = credential.user_id AND caller.enabled AND caller.deleted_at IS NULL
    JOIN organisations own ON own.id = coalesce(caller.organisation_id, credential.organisation_id)
      AND own.deleted_at IS NULL
      AND NOT ${isSuspended('own.id')}
    ${addressed === undefined ? '' : `LEFT JOIN organisations addressed ON addressed.id = ${addressed} AND addressed.deleted_at IS NULL`}
    ${
      user === undefined
        ? ''
        : `LEFT JOIN users addressed_user ON addressed_user.id = ${user}
      AND addressed_user.organisation_id = addressed.id AND addressed_user.deleted_at IS NULL`
    }`;
}

const organisationColumns = (sharing: readonly string[]): string => `,
      addressed.id AS addressed_organisation_id,
      ${[
        `credential.beneath AND EXISTS (SELECT 1 FROM organisation_closure
        WHERE ancestor_id = own.id AND descendant_id = addressed.id)`,
        ...sharing,
      ].join(' OR ')} AS beneath,
      CASE WHEN addressed.id <> caller.organisation_id
        THEN used_grant(caller.id, caller.organisation_id, addressed.id) END AS used_grant`;
