import { tagOf, type VersionedRecord } from '@app/platform/context/addressed-version';
import { byKey } from '@app/platform/database/pg-reads/database-reads';
import type { PreparedStatement } from '@app/platform/database/pg-reads/statement';
import type { PathRecord, PresentedCredential } from './access.types';
import { PRESENTED, presentedAndIntrospected } from './credential.queries';
import type { Role } from './roles';

/**
 * SQL condition: the organisation is suspended itself, or lies beneath one that is suspended with its
 * subtree. It is computed by index at every use, so that moving an organisation needs no update. OFFSET 0
 * forces one look-up for the organisation and one for each ancestor; otherwise the planner reads all
 * suspensions if it expects few.
 */
export const isSuspended = (organisation: string): string => `(
    EXISTS (SELECT FROM suspensions suspension WHERE suspension.organisation_id = ${organisation} AND suspension.itself OFFSET 0)
    OR EXISTS (SELECT FROM organisation_closure way CROSS JOIN LATERAL (
        SELECT FROM suspensions suspension WHERE suspension.organisation_id = way.ancestor_id AND suspension.beneath OFFSET 0) held
      WHERE way.descendant_id = ${organisation} OFFSET 0))`;

/** The records that a route addresses. They are fixed at start, so each route has one prepared statement. */
export interface RouteAddress {
  /** The path has an organisation id. Otherwise a record of the path can address the organisation. */
  readonly organisation: boolean;
  readonly user: boolean;
  readonly records: readonly (PathRecord & {
    readonly parameter: string;
    /** Whether the record precedes the user in the path, as a team precedes its member. */
    readonly isBeforeUser: boolean;
  })[];
  /** The record whose state is in the route's entity tag. */
  readonly version?: VersionedRecord | undefined;
}

/**
 * The row of the access query. It has columns about a record if the route addresses one;
 * null means: does not exist.
 */
export interface AccessRow {
  readonly kind: PresentedCredential['kind'];
  readonly credential_id: number;
  readonly whitelist: readonly string[] | null;
  /** An API key or support login that allows only GET and HEAD. */
  readonly read_only: boolean;
  /** "Last used" is over a minute old and needs an update. */
  readonly stale: boolean;
  /** Null for a service key, which has no user. */
  readonly user_id: number | null;
  readonly organisation_id: number;
  /** The customer that this organisation is or lies beneath. */
  readonly customer_id: number;
  readonly username: string;
  readonly full_name: string;
  /** The staff member behind a support login; null for every other credential. */
  readonly staff_id: number | null;
  /** The service key that stood for the password at a login by a link; null for every other credential. */
  readonly service_key_name: string | null;
  readonly roles: readonly Role[];
  /** The operations and groups of a service key; null for a user, whose roles decide. */
  readonly operations: readonly string[] | null;
  /** The roles hold beneath the organisation of the caller too. */
  readonly reaches_beneath: boolean;
  readonly addressed_organisation_id?: number | null;
  readonly beneath?: boolean;
  /**
   * The grant of the addressed organisation that the caller uses; null if the
   * organisation is the caller's own.
   */
  readonly used_grant?: UsedGrant | null;
  readonly addressed_user_id?: number | null;
  readonly addressed_user_roles?: readonly Role[] | null;
  /** Position of the first missing record of the path; null if all exist. */
  readonly missing_record?: number | null;
  /** The tag of the addressed record, on routes with an entity tag; null if the record has no row. */
  readonly tag?: string | null;
  /** The row comes from a standby, which may not know yet that the credential has ended. */
  readonly on_standby: boolean;
  /** The introspected token: see `@IntrospectsToken`. */
  readonly introspectedToken?: TokenRow | undefined;
}

/** A valid grant that the caller uses with its credential. The database function `used_grant` finds it. */
export interface UsedGrant {
  readonly id: number;
  readonly access: 'read' | 'manage';
  /**
   * The grant is to manage, and the credential has not passed the second factor that
   * the organisation demands.
   */
  readonly lacksSecondFactor: boolean;
}

/** The record of the path that determines the addressed organisation, if any. */
export const leadingRecord = ({ records }: RouteAddress): RouteAddress['records'][number] | undefined =>
  records.find(({ organisation }) => organisation !== undefined);

/** SQL for the organisation id of such a record. The parameter is the identifier of the record. */
const organisationOf = (
  { table, key = 'id', condition = 'true', organisation }: PathRecord,
  parameter: string,
): string =>
  `(SELECT record.${organisation} FROM ${table} record WHERE record.${key} = ${parameter} AND ${condition})`;

/**
 * One statement finds the caller by a credential of any kind, checks that the addressed records exist, and
 * finds their relation to the caller. Nothing is cached, so a revocation on any node holds for the next
 * request. Parameters: $1 digest of the credential, $2 seconds that a login lives after its last use, then
 * the identifiers of the path in order.
 */
export const accessStatement = (address: RouteAddress): PreparedStatement<AccessRow> =>
  byKey(`/* access */ ${accessQuery(address, PRESENTED)}`);

/** What other services are told of a caller, besides. */
export interface NamedRow extends AccessRow {
  /**
   * The name by which other services know the user: a verified one, which may be
   * empty (rule recovery 23).
   */
  readonly known_as: string;
}

const KNOWN_AS = `CASE WHEN caller.id IS NULL THEN 'servicekey:' || credential.id ELSE name_for_others(caller) END AS known_as,`;

/** The access query with the name for other services, which costs as much as three other columns. */
export const namedAccessStatement = (address: RouteAddress): PreparedStatement<NamedRow> =>
  byKey(`/* access, name */ ${accessQuery(address, PRESENTED, KNOWN_AS)}`);

/** A path without records. */
export const NOTHING: RouteAddress = { organisation: false, user: false, records: [] };

/**
 * The row of the caller, of the introspected token, or of both if a caller introspects its own credential.
 */
export interface TokenRow extends NamedRow {
  readonly is_presented: boolean;
  readonly is_introspected: boolean;
  /** Unix seconds. */
  readonly issued_at: number;
  /** Unix seconds. */
  readonly ends_at: number;
  readonly has_second_factor: boolean;
}

/**
 * The access query that also finds the introspected token, by the digest in the last parameter. One
 * statement costs half of two.
 */
export const introspectionStatement = (address: RouteAddress): PreparedStatement<TokenRow> => {
  const { organisation, user, records } = address;
  const token = `$${3 + Number(organisation) + Number(user) + records.length}`;
  return byKey(
    `/* access, token */ ${accessQuery(
      address,
      presentedAndIntrospected(token),
      `${KNOWN_AS} credential.is_presented, coalesce(credential.is_introspected, false) AS is_introspected,
      floor(extract(epoch FROM credential.created_at))::float8 AS issued_at,
      floor(extract(epoch FROM credential.expires_at))::float8 AS ends_at,
      coalesce(caller.second_factor = 'enabled', false) AS has_second_factor,`,
    )}`,
  );
};

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
  const ownerOf = ({ within, owner = within?.replace(/Id$/, '_id') }: PathRecord): string =>
    within === undefined ? '' : ` AND record.${owner} = ${idOf(within)}`;
  const idOf = (within: string): string => {
    if (within === 'userId') return 'addressed_user.id';
    return within === 'organisationId' ? 'addressed.id' : parameterOf(within);
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
  /** SELECT that finds the credential. */
  readonly credential: string;
  /** Further columns, each with a comma after it. */
  readonly more?: string;
  /** SQL for the ids of the addressed organisation and user. */
  readonly organisation: string | undefined;
  readonly user: string | undefined;
  /** Conditions under which the addressed organisation counts as beneath the caller's organisation. */
  readonly sharing?: readonly string[];
  /** SQL for the position of the first missing record. */
  readonly missing?: string | undefined;
}

/**
 * SQL that finds the caller of a credential, the addressed records, and their relation: an {@link AccessRow}.
 */
function accessRows({
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
      credential.stale, credential.staff_id, credential.service_key_name,
      caller.id AS user_id, own.id AS organisation_id, own.customer_id,
      coalesce(caller.username, 'servicekey:' || credential.id) AS username,
      coalesce(caller.first_name || ' ' || caller.last_name, credential.name) AS full_name,
      coalesce(caller.roles, credential.roles) AS roles, credential.operations,
      credential.beneath AS reaches_beneath
      ${addressed === undefined ? '' : organisationColumns(sharing)}
      ${
        user === undefined
          ? ''
          : `, addressed_user.id AS addressed_user_id, addressed_user.roles AS addressed_user_roles`
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
        THEN used_grant(caller.id, caller.organisation_id, addressed.id, credential.kind, credential.id) END AS used_grant`;
