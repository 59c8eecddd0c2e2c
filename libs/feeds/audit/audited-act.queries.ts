import { isKnownTo, type ReaderParameters } from '@app/people/users/known-users';
import type { Statement } from '@app/platform/database/pg-reads/statement';
import { directionOf, extentOf, pageStatement, SqlParameters } from '@app/platform/lists/list-query';
import type { ListRequest, PageQuery } from '@app/platform/lists/paginator';
import type { AuditedColumns } from './audit-entry.entity';
import { maskOf } from './masks';

/** The actor, masked for the reader. */
export const ACTOR_TYPES = ['user', 'serviceKey', 'operator', 'manager', 'invitation', 'service'] as const;
export type ActorType = (typeof ACTOR_TYPES)[number];

export type AuditedActOrder = 'id' | 'at';
export type AuditedActSearch = 'user' | 'kind' | 'from' | 'to';

/** A row of the page with all values. The service removes the values that its reader may not see. */
export interface AuditedActRow {
  readonly id: number;
  readonly at: number;
  readonly action: string;
  readonly table: string;
  readonly recordId: number;
  readonly organisationId: number | null;
  readonly before: AuditedColumns | null;
  readonly after: AuditedColumns | null;
  readonly actorType: ActorType;
  readonly userId: number | null;
  readonly username: string | null;
  readonly serviceKeyId: number | null;
  readonly serviceKeyName: string | null;
  readonly credential: string | null;
  readonly address: string | null;
  /** Null except for support logins. */
  readonly support: SupportRow | null;
  /** Only for an act by a grant, together with the organisation of the user. */
  readonly grantId: number | null;
  readonly actingOrganisationId: number | null;
}

/** The user and reason of a support login, masked for the reader. */
export interface SupportRow {
  readonly userId?: number;
  readonly username?: string;
  readonly reason?: string | null;
}

export interface Reader {
  readonly organisationId: number;
  readonly isAdmin: boolean;
}

/** Which rows to read from the log of one organisation. */
export interface ActSelection {
  readonly organisationId: number;
  readonly reader: Reader;
  /**
   * Only acts of this user. `isOwn`: a user of the organisation. Without `isKnown` the reader sees only
   * the user's acts by grants.
   */
  readonly actor: { readonly id: number; readonly isOwn: boolean; readonly isKnown: boolean } | undefined;
  /** Only rows of these tables. */
  readonly tables: readonly string[] | undefined;
  /** Unix seconds. */
  readonly from: number | undefined;
  /** Unix seconds, exclusive. */
  readonly to: number | undefined;
  /** What the filter matches; undefined if there is no filter, or if it matches every row. */
  readonly filtered: FilterMatches | undefined;
}

/** Tables, actions, and users of the organisation that a filter matches. */
export interface FilterMatches {
  readonly tables: readonly string[];
  readonly actions: readonly string[];
  readonly users: readonly number[];
}

/**
 * Longer than any transaction. `at` is the start of a transaction, but ids are assigned during it. So the ids
 * of a time span lie between the ids of rows that are this much older and this much younger.
 */
const MAX_TRANSACTION = `interval '1 hour'`;

const READER: ReaderParameters = { organisation: '$2', admin: '$3' };

/** SQL condition: the reader may know the user. */
const isKnown = (user: string): string => isKnownTo(user, READER);

/**
 * The organisation of user $1, even of a deleted one, and whether the reader may know the user
 * beyond its acts by grants.
 */
export const KNOWN_USER: Statement<{ readonly organisationId: number; readonly isKnown: boolean }> = {
  text: `SELECT u.organisation_id AS "organisationId", ${isKnown('u')} AS "isKnown" FROM users u WHERE u.id = $1`,
};

/**
 * Users of organisation $1 that the reader may know and whose names contain $4. The scan is cheap, because an
 * organisation has at most 10,000 users (docs/limits.md).
 */
export const USERS_BY_NAME: Statement<{ readonly id: number }> = {
  text: `SELECT u.id FROM users u WHERE u.organisation_id = $1 AND search_form(u.username) LIKE search_form($4) AND ${isKnown('u')}`,
};

/**
 * Maximum users whose acts a filter reads user by user. Acts of more users are frequent,
 * so it searches row by row.
 */
const MAX_USERS = 20;

const ORDERS: Readonly<Record<AuditedActOrder, string>> = { id: 'a.id', at: 'a.at' };

/**
 * A page of changes to an organisation and of acts of its users elsewhere. Each part reads an index in order
 * until the page is full, so the cost of a page does not depend on the length of the log.
 */
export function auditedActPage(
  selection: ActSelection,
  request: Omit<ListRequest<AuditedActOrder>, 'search'>,
): PageQuery<AuditedActRow> {
  const { organisationId, reader, actor, filtered } = selection;
  const parameters = new SqlParameters([organisationId, reader.organisationId, reader.isAdmin]);
  const conditions = conditionsOf(selection, parameters).map((condition) => ` AND ${condition}`);
  const direction = directionOf(request);
  const byId = `a.id ${direction}`;
  const order = `ORDER BY ${request.orderBy === 'id' ? '' : `${ORDERS[request.orderBy]} ${direction}, `}${byId}`;
  const most = request.limit + 1 + request.offset;
  const rows = request.mode === 'default-page' ? String(most) : parameters.add(most);
  const sources = branchesOf(actor, parameters);
  const arm = (columns: string, where: string): string =>
    `(SELECT ${columns} FROM audit_log a WHERE ${where}${conditions.join('')} ${order} LIMIT ${rows})`;
  const matches = filtered === undefined ? [] : matchesOf(filtered, sources, parameters);
  const arms =
    filtered === undefined
      ? sources.map((source) => arm('*', source))
      : [
          // The array makes PostgreSQL read only these rows, even if its estimates are wrong.
          `(SELECT * FROM audit_log WHERE id = ANY (ARRAY(SELECT id FROM (
            ${matches.map((where) => arm('a.id, a.at', where)).join(' UNION ')}
          ) a ${order} LIMIT ${rows})))`,
        ];
  return {
    statement: pageStatement(
      `SELECT a.id, floor(extract(epoch FROM a.at))::float8 AS at, a.action, a.table_name AS "table",
        a.record_id AS "recordId", a.organisation_id AS "organisationId", a.before, a.after,
        a.actor_credential_kind AS credential, a.address, ${ACTOR.type} AS "actorType",
        ${ACTOR.userId} AS "userId", ${ACTOR.username} AS username,
        ${ACTOR.serviceKeyId} AS "serviceKeyId", ${ACTOR.serviceKeyName} AS "serviceKeyName", ${SUPPORT},
        a.grant_id AS "grantId", a.acting_organisation_id AS "actingOrganisationId"
      FROM (${arms.join(' UNION ALL ')}) a LEFT JOIN users actor ON actor.id = a.actor_user_id
        LEFT JOIN users served ON served.id = a.on_behalf_of
      ${order} ${extentOf(request, parameters)}`,
      request,
      { isQuick: true },
    ),
    values: parameters.values,
  };
}

/** The disjoint parts of the log of organisation $1. */
function branchesOf(actor: ActSelection['actor'], parameters: SqlParameters): string[] {
  if (actor === undefined) return ['a.organisation_id = $1', 'a.acting_organisation_id = $1'];
  const user = parameters.add(actor.id);
  if (actor.isOwn) return [`a.actor_user_id = ${user} AND $1::integer IS NOT NULL`];
  const acts = `a.organisation_id = $1 AND a.actor_user_id = ${user} AND a.acting_organisation_id IS NOT NULL`;
  return [actor.isKnown ? acts : `${acts} AND ${IS_BY_GUEST}`];
}

/**
 * The rows that a filter matches. Each table and each user is a separate part, so that PostgreSQL decides for
 * each, from its statistics, whether to use its index. A table or user without rows then costs one look-up.
 */
function matchesOf(
  { tables, actions, users }: FilterMatches,
  sources: readonly string[],
  parameters: SqlParameters,
): string[] {
  const isAmong = (column: string, type: string, values: readonly unknown[]): string =>
    `${column} = ANY (${parameters.add(values)}::${type}[])`;
  const conditions = [
    ...tables.map((table) => `a.table_name = ${parameters.add(table)}`),
    ...(actions.length === 0 ? [] : [isAmong('a.action', 'text', actions)]),
    ...(users.length > MAX_USERS ? [isAmong('a.actor_user_id', 'integer', users)] : []),
  ];
  return [
    ...conditions.flatMap((condition) => sources.map((source) => `${source} AND ${condition}`)),
    ...(users.length > MAX_USERS ? [] : users).map(
      (user) => `a.actor_user_id = ${parameters.add(user)} AND $1::integer IS NOT NULL`,
    ),
  ];
}

function conditionsOf({ tables, from, to }: ActSelection, parameters: SqlParameters): string[] {
  const conditions: string[] = [];
  if (tables?.length === 1) conditions.push(`a.table_name = ${parameters.add(tables[0])}`);
  else if (tables !== undefined) conditions.push(`a.table_name = ANY (${parameters.add(tables)}::text[])`);
  if (from !== undefined) {
    const moment = `to_timestamp(${parameters.add(from)}::float8)`;
    conditions.push(
      `a.at >= ${moment}`,
      `a.id > coalesce((SELECT id FROM audit_log WHERE at <= ${moment} - ${MAX_TRANSACTION} ORDER BY at DESC LIMIT 1), 0)`,
    );
  }
  if (to !== undefined) {
    const moment = `to_timestamp(${parameters.add(to)}::float8)`;
    conditions.push(
      `a.at < ${moment}`,
      `a.id < coalesce((SELECT id FROM audit_log WHERE at >= ${moment} + ${MAX_TRANSACTION} ORDER BY at LIMIT 1),
        9223372036854775807)`,
    );
  }
  return conditions;
}

/** A user acted by a grant. Support logins stay masked. */
const IS_BY_GUEST = `a.grant_id IS NOT NULL AND a.actor_credential_kind <> 'support_login'`;

/** The organisation of a service key that acted, possibly deleted; null for other actors. */
const KEY_ORGANISATION = `CASE WHEN a.actor_credential_kind = 'service_key'
  THEN coalesce(a.acting_organisation_id, a.organisation_id) END`;

/** SQL condition: the reader reaches the organisation of the service key. */
const isKeyKnownTo = ({ organisation, admin }: ReaderParameters): string =>
  `(a.actor_credential_kind = 'service_key' AND (${admin}::boolean OR ${KEY_ORGANISATION} = ${organisation} OR EXISTS (
    SELECT 1 FROM organisation_closure WHERE ancestor_id = ${organisation} AND descendant_id = ${KEY_ORGANISATION})))`;

/**
 * SQL columns for the actor of audit row `a` (joined user: `actor`), masked for the reader. If a user acted
 * by a grant, the grantor sees the user; `grantor` is SQL for the organisation whose log is read.
 */
export function actorColumns(reader: ReaderParameters, grantor: string) {
  const known = `(${isKnownTo('actor', reader)} OR ${IS_BY_GUEST} AND a.organisation_id = ${grantor})`;
  const keyKnown = isKeyKnownTo(reader);
  return {
    type: `CASE
      WHEN actor.id IS NOT NULL AND ${known} THEN 'user'
      WHEN ${keyKnown} THEN 'serviceKey'
      WHEN a.actor_user_id IS NOT NULL OR ${KEY_ORGANISATION} IS NOT NULL
        THEN ${maskOf(`coalesce(actor.organisation_id, ${KEY_ORGANISATION})`)}
      WHEN a.actor_credential_kind = 'invitation' THEN 'invitation'
      WHEN a.actor_credential_kind = 'job' THEN 'service'
      ELSE 'operator' END`,
    userId: `CASE WHEN ${known} THEN actor.id END`,
    username: `CASE WHEN ${known} THEN actor.username END`,
    serviceKeyId: `CASE WHEN ${keyKnown} THEN a.actor_credential_id END`,
    serviceKeyName: `CASE WHEN ${keyKnown} THEN a.actor_name END`,
  } as const;
}

const ACTOR = actorColumns(READER, '$1');

/**
 * A row about the beginning of a support login contains its reason. A reader who may not
 * know the user sees no reason.
 */
const SUPPORT = `CASE WHEN a.actor_credential_kind = 'support_login' THEN
    CASE WHEN ${isKnown('served')} OR a.grant_id IS NOT NULL AND a.organisation_id = $1 THEN
      jsonb_build_object('userId', served.id, 'username', served.username, 'reason', (
      SELECT begun.after ->> 'support_reason' FROM audit_log begun
      WHERE begun.table_name = 'logins' AND begun.record_id = a.actor_credential_id AND begun.action = 'insert'))
    ELSE '{}' END END AS support`;
