import type { AuditedColumns } from '@app/core/audit/audit-entry.entity';
import type { Read } from '@app/core/database/prepared-queries';
import { OPERATOR_ORGANISATION } from '@app/core/access/role-grants';
import { directionOf, extentOf, pageStatement, Parameters, type Query } from '@app/core/paging/list-query';
import type { ListRequest } from '@app/core/paging/page';
import type { ActorType, AuditedActOrder } from './audited-act.types';

/** A row of the page, before what its reader may not see is taken out. */
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
  readonly credential: string | null;
  readonly address: string | null;
}

/** Who reads. */
export interface Reader {
  readonly organisationId: number;
  readonly isAdmin: boolean;
}

/** Whose log is read, and which rows of it. */
export interface ActSelection {
  readonly organisationId: number;
  readonly reader: Reader;
  /** Only what this user did; whether it belongs to the organisation. */
  readonly actor: { readonly id: number; readonly isOwn: boolean } | undefined;
  /** Only rows of these tables. */
  readonly tables: readonly string[] | undefined;
  /** Unix seconds. */
  readonly from: number | undefined;
  /** Unix seconds, not included. */
  readonly to: number | undefined;
  /** What the filter may mean beside names of users: tables and actions. */
  readonly filtered: { readonly tables: readonly string[]; readonly actions: readonly string[] };
}

/**
 * Longer than any transaction lasts. Ids are given while a transaction runs, `at` is its start: the ids of the rows of
 * a span of time lie between those of rows that are older or younger by this.
 */
const MAX_TRANSACTION = `interval '1 hour'`;

/** Whether the reader ($2 its organisation, $3 whether it is an admin) may know who the user is. */
const isKnown = (user: string): string =>
  `($3::boolean OR NOT 'ROLE_ADMIN' = ANY (${user}.roles) AND (${user}.organisation_id = $2 OR EXISTS (
    SELECT 1 FROM organisation_closure WHERE ancestor_id = $2 AND descendant_id = ${user}.organisation_id)))`;

/** Whether the reader may know the user $1, and to which organisation it belongs; deleted ones count. */
export const KNOWN_USER: Read<{ readonly organisationId: number }> = {
  text: `SELECT u.organisation_id AS "organisationId" FROM users u WHERE u.id = $1 AND ${isKnown('u')}`,
};

const ORDERS: Readonly<Record<AuditedActOrder, string>> = { id: 'a.id', at: 'a.at' };

/**
 * A page of what happened to an organisation and of what its users did elsewhere. Either is read in the order of an
 * index and no further than the page goes, so that the page costs the same however long the log is.
 */
export function auditedActPage(
  selection: ActSelection,
  request: Omit<ListRequest<AuditedActOrder>, 'search'>,
): Query<AuditedActRow> {
  const { organisationId, reader, actor } = selection;
  const parameters = new Parameters([organisationId, reader.organisationId, reader.isAdmin]);
  const conditions = conditionsOf(selection, request.filter, parameters).map(
    (condition) => ` AND ${condition}`,
  );
  const direction = directionOf(request);
  const byId = `a.id ${direction}`;
  const order = `ORDER BY ${request.orderBy === 'id' ? '' : `${ORDERS[request.orderBy]} ${direction}, `}${byId}`;
  const most = request.limit + 1 + request.offset;
  const rows = request.isPlain === true ? String(most) : parameters.add(most);
  const arms = armsOf(actor, parameters).map(
    (source) => `(SELECT * FROM audit_log a WHERE ${source}${conditions.join('')} ${order} LIMIT ${rows})`,
  );
  return {
    statement: pageStatement(
      `SELECT a.id, floor(extract(epoch FROM a.at))::float8 AS at, a.action, a.table_name AS "table",
        a.record_id AS "recordId", a.organisation_id AS "organisationId", a.before, a.after,
        a.actor_credential_kind AS credential, a.address, ${ACTOR}
      FROM (${arms.join(' UNION ALL ')}) a LEFT JOIN users actor ON actor.id = a.actor_user_id
      ${order} ${extentOf(request, parameters)}`,
      request,
    ),
    values: parameters.values,
    isQuick: true,
  };
}

/** $1 is the organisation whose log it is. No row is in two of them. */
function armsOf(actor: ActSelection['actor'], parameters: Parameters): string[] {
  if (actor === undefined) return ['a.organisation_id = $1', 'a.acting_organisation_id = $1'];
  const user = parameters.add(actor.id);
  return actor.isOwn
    ? [`a.actor_user_id = ${user} AND $1::integer IS NOT NULL`]
    : [`a.organisation_id = $1 AND a.actor_user_id = ${user} AND a.acting_organisation_id IS NOT NULL`];
}

function conditionsOf(
  { tables, from, to, filtered }: ActSelection,
  filter: string | undefined,
  parameters: Parameters,
): string[] {
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
  if (filter !== undefined) {
    conditions.push(
      `(a.table_name = ANY (${parameters.add(filtered.tables)}::text[])
        OR a.action = ANY (${parameters.add(filtered.actions)}::text[])
        OR a.actor_user_id IN (SELECT u.id FROM users u WHERE u.organisation_id = $1
          AND ${parameters.contains(filter, 'lower(u.username)')} AND ${isKnown('u')}))`,
    );
  }
  return conditions;
}

const KNOWN = isKnown('actor');

const ACTOR = `CASE
    WHEN actor.id IS NOT NULL AND ${KNOWN} THEN 'user'
    WHEN actor.organisation_id = ${OPERATOR_ORGANISATION} THEN 'operator'
    WHEN a.actor_user_id IS NOT NULL THEN 'manager'
    WHEN a.actor_credential_kind = 'invitation' THEN 'invitation'
    WHEN a.actor_credential_kind = 'name_restoration' THEN 'nameRestoration'
    WHEN a.actor_credential_kind = 'stranger' THEN 'stranger'
    WHEN a.actor_credential_kind = 'job' THEN 'service'
    ELSE 'operator' END AS "actorType",
  CASE WHEN ${KNOWN} THEN actor.id END AS "userId", CASE WHEN ${KNOWN} THEN actor.username END AS username`;
