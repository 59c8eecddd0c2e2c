import { prepared } from '@app/core/database/prepared-queries';
import { directionOf, extentOf, pageStatement, Parameters, type Query } from '@app/core/paging/list-query';
import type { ListRequest } from '@app/core/paging/page';
import {
  IS_OPEN,
  ORGANISATION_COLUMNS,
  ORGANISATION_COLUMNS_WITH_FEW_USERS,
  ORGANISATION_COLUMNS_WITHOUT_USERS,
  SUB_ORGANISATION_COLUMNS,
} from './organisation.columns';
import type {
  OrganisationDetails,
  OrganisationOrder,
  OrganisationSearch,
  SubOrganisation,
  SubOrganisationOrder,
} from './organisation.types';

/** Which organisations a list is about. */
export type Scope =
  /** Every organisation (an admin's). */
  | { readonly kind: 'all' }
  /** The organisation itself, those beneath it where asked for, and those that granted access to it. */
  | { readonly kind: 'reach'; readonly of: number; readonly beneath: boolean; readonly granted: boolean }
  /** Only those beneath the organisation. */
  | { readonly kind: 'beneath'; readonly of: number };

/** The organisations of a statement that gives their ids, with their open invitations, counted for all at once. */
const withOpenInvitations = (beneath: string, ids: string): string => `
        SELECT reached.id, coalesce(open.count, 0) AS sort_key FROM (${ids}) reached
        LEFT JOIN (SELECT i.organisation_id, count(*)::integer AS count
          FROM organisation_closure c JOIN invitations i ON i.organisation_id = c.descendant_id
          WHERE c.ancestor_id = ${beneath} AND ${IS_OPEN} GROUP BY i.organisation_id) open
        ON open.organisation_id = reached.id`;

const HAS_ID = 'o.id = $1 AND o.deleted_at IS NULL';

/** How many users of each organisation are read with it. */
export type UsersRead = 'none' | 'few' | 'many';

const COLUMNS = {
  none: ORGANISATION_COLUMNS_WITHOUT_USERS,
  few: ORGANISATION_COLUMNS_WITH_FEW_USERS,
  many: ORGANISATION_COLUMNS,
} as const satisfies Readonly<Record<UsersRead, unknown>>;

/** One organisation by its id ($1). */
export const ORGANISATION_BY_ID = {
  none: COLUMNS.none.select(HAS_ID),
  few: COLUMNS.few.select(HAS_ID),
  many: COLUMNS.many.select(HAS_ID),
};

/** Whether organisation $2 is organisation $1 or lies beneath it. */
export const IS_WITHIN = `SELECT $1::integer = $2::integer OR EXISTS (
  SELECT 1 FROM organisation_closure WHERE ancestor_id = $1 AND descendant_id = $2) AS within`;

/** The links of an organisation ($1). */
export const LINKS_BY_ID = prepared<{ parentId: number | null; resellerId: number | null }>(
  `SELECT parent_id AS "parentId", reseller_id AS "resellerId" FROM organisations WHERE id = $1`,
);

type OrganisationList = ListRequest<OrganisationOrder, OrganisationSearch>;

/**
 * A page of organisations with the total, in one statement. Every row carries the total; a page beyond the end
 * is one row whose id is null. Without a filter the total comes from the counts that the tree keeps, so that
 * it costs the same however many organisations there are.
 */
export function organisationPage(
  scope: Scope,
  request: OrganisationList,
  users: UsersRead,
): Query<OrganisationDetails> {
  const columns = COLUMNS[users];
  const parameters = new Parameters();
  const { conditions, prelude } = selectionOf(request, parameters);
  const branches = branchesOf(scope, parameters, conditions.length > 0);
  const filtered = branches.map((branch) => [branch, ...conditions].join(' AND '));
  const key = columns.orderOf(request.orderBy);
  const direction = directionOf(request);
  const order = `${request.orderBy === 'id' ? '' : `${key} ${direction}, `}o.id ${direction}`;
  const reached = { ...request, offset: 0, limit: request.offset + request.limit };
  const total =
    conditions.length === 0
      ? totalOf(scope, parameters)
      : filtered.map((from) => `(SELECT count(*) FROM ${from})`).join(' + ');
  const rows = filtered.map(
    (from) =>
      `(SELECT o.id, ${key} AS sort_key FROM ${from} ORDER BY ${order} ${extentOf(reached, parameters)})`,
  );
  const picked = `(SELECT * FROM (${rows.join(' UNION ALL ')}) reached
          ORDER BY sort_key ${direction}, id ${direction}
          ${extentOf(request, parameters)}) picked
        JOIN organisations o ON o.id = picked.id ${columns.joins}`;
  const text =
    request.streamed === true
      ? // No total is shown, so that no row need carry it beyond the end: the rows come in the order of `picked`,
        // the first ones long before the last.
        `
      ${prelude}
      SELECT (${total})::integer AS "listTotal", ${columns.selected}
      FROM ${picked}
      ORDER BY picked.sort_key ${direction}, picked.id ${direction}`
      : `
      ${prelude}
      SELECT counted.total::integer AS "listTotal", page.*
      FROM (SELECT ${total} AS total) counted
      LEFT JOIN (
        SELECT ${columns.selected}, picked.sort_key AS "sortKey"
        FROM ${picked}
      ) page ON true
      ORDER BY page."sortKey" ${direction}, page.id ${direction}`;
  // How much lies within another scope differs too much for one plan that serves them all.
  const isQuick = scope.kind === 'all' && users !== 'many';
  return { statement: pageStatement(text, request), values: parameters.values, isQuick };
}

/** A page of the organisations beneath one. Only the streamed one has a total, which spares it a look ahead. */
export function subOrganisationPage(
  of: number,
  request: ListRequest<SubOrganisationOrder>,
): Query<SubOrganisation> {
  const parameters = new Parameters();
  const [beneath] = branchesOf({ kind: 'beneath', of }, parameters, request.filter !== undefined);
  const { conditions: narrowing } = selectionOf({ ...request, search: {} }, parameters);
  // The indexed text holds the tax number too, which these items do not show: it narrows, this decides.
  const own = `organisation_search_text(o.name, '', o.street, o.house_number, o.zip, o.city)`;
  const conditions =
    request.filter === undefined ? narrowing : [...narrowing, parameters.contains(request.filter, own)];
  const from = [beneath, ...conditions].join(' AND ');
  // The closure's own column, so that its index gives the rows in order.
  const id = 'beneath.descendant_id AS id';
  const rows =
    request.orderBy === 'openInvitations'
      ? withOpenInvitations(parameters.add(of), `SELECT ${id} FROM ${from}`)
      : `SELECT ${id}, ${SUB_ORGANISATION_COLUMNS.orderOf(request.orderBy)} AS sort_key FROM ${from}`;
  const total =
    request.streamed === true && conditions.length === 0
      ? `(SELECT beneath_count FROM organisations WHERE id = ${parameters.add(of)}) AS "listTotal", `
      : '';
  const direction = directionOf(request);
  const bySortKey = request.orderBy === 'id' ? '' : `sort_key ${direction}, `;
  const text = `
      SELECT ${total}${SUB_ORGANISATION_COLUMNS.selected}
      FROM (${rows}
        ORDER BY ${bySortKey}id ${direction}
        ${extentOf(request, parameters)}) picked
      JOIN organisations o ON o.id = picked.id
      ORDER BY ${bySortKey}picked.id ${direction}`;
  return { statement: pageStatement(text, request), values: parameters.values };
}

/**
 * FROM and WHERE of the disjoint parts that a scope consists of; `o` is the organisation in each. The closure holds
 * no deleted ones, but a search among those beneath says so once more: the indexes of the texts leave deleted ones out,
 * and are used only where the statement does.
 */
function branchesOf(scope: Scope, parameters: Parameters, searched: boolean): string[] {
  if (scope.kind === 'all') return ['organisations o WHERE o.deleted_at IS NULL'];
  const of = parameters.add(scope.of);
  const beneath = `organisation_closure beneath JOIN organisations o ON o.id = beneath.descendant_id
    WHERE beneath.ancestor_id = ${of}${searched ? ' AND o.deleted_at IS NULL' : ''}`;
  if (scope.kind === 'beneath') return [beneath];
  const granted = `acls JOIN organisations o ON o.id = acls.organisation_id
    WHERE acls.grantee_id = ${of} AND o.deleted_at IS NULL${
      scope.beneath
        ? ` AND NOT EXISTS (SELECT 1 FROM organisation_closure beneath
            WHERE beneath.ancestor_id = ${of} AND beneath.descendant_id = o.id)`
        : ''
    }`;
  return [
    `organisations o WHERE o.id = ${of} AND o.deleted_at IS NULL`,
    ...(scope.beneath ? [beneath] : []),
    ...(scope.granted ? [granted] : []),
  ];
}

/** How many organisations a scope has, from the counts that the tree keeps. */
function totalOf(scope: Scope, parameters: Parameters): string {
  if (scope.kind === 'all') return '(SELECT 1 + beneath_count FROM organisations WHERE id = 1)';
  // PostgreSQL refuses parameters that a statement does not use: each is made where it is.
  const beneath = () => `(SELECT beneath_count FROM organisations WHERE id = ${parameters.add(scope.of)})`;
  if (scope.kind === 'beneath') return beneath();
  const ownAndBeneath = scope.beneath ? `1 + ${beneath()}` : '1';
  if (!scope.granted) return ownAndBeneath;
  return `${ownAndBeneath} + (SELECT count(*) FROM ${branchesOf(scope, parameters, false).at(-1)})`;
}

interface Selection {
  /** Conditions on `o`; none where every organisation of the scope is wanted. */
  readonly conditions: readonly string[];
  /** What stands before the statement for them: empty, or a WITH clause. */
  readonly prelude: string;
}

function selectionOf(
  request: Pick<OrganisationList, 'filter' | 'search'>,
  parameters: Parameters,
): Selection {
  const { filter, search } = request;
  const contains = (text: string, value: string): string => parameters.contains(value, text);
  const collections: string[] = [];
  const usersWith = (text: string, value: string): string => {
    const name = `users_with_${collections.length}`;
    // The indexed text contains both searched ones: it narrows, the second condition decides.
    const indexed = contains('user_search_text(u.username, u.first_name, u.last_name)', value);
    // An array, so that the users are looked through once. A join on tables that have no statistics yet (after an
    // import, say) may be planned as a loop that looks through them for every organisation.
    collections.push(`${name} AS MATERIALIZED (SELECT ARRAY(SELECT u.organisation_id FROM users u
      WHERE u.deleted_at IS NULL AND ${indexed} AND ${contains(text, value)}) AS organisation_ids)`);
    return `o.id = ANY ((SELECT organisation_ids FROM ${name})::integer[])`;
  };
  const conditions: string[] = [];
  if (filter !== undefined) {
    conditions.push(
      contains(
        'organisation_search_text(o.name, o.tax_number, o.street, o.house_number, o.zip, o.city)',
        filter,
      ),
    );
  }
  if (search.name !== undefined) conditions.push(contains('lower(o.name)', search.name));
  if (search.taxNumber !== undefined) conditions.push(contains('lower(o.tax_number)', search.taxNumber));
  if (search.externalId !== undefined) conditions.push(contains('lower(o.external_id)', search.externalId));
  if (search.organisationType !== undefined) {
    conditions.push(`o.organisation_type::text = ${parameters.add(search.organisationType)}`);
  }
  if (search.userFullname !== undefined) {
    conditions.push(usersWith(`lower(u.first_name || ' ' || u.last_name)`, search.userFullname));
  }
  if (search.userEmail !== undefined) {
    // Only user names that are addresses are e-mail addresses.
    conditions.push(
      usersWith(`lower(CASE WHEN u.username LIKE '%@%' THEN u.username END)`, search.userEmail),
    );
  }
  return {
    conditions,
    prelude: collections.length === 0 ? '' : `WITH ${collections.join(', ')}`,
  };
}
