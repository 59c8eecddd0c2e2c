import { byKey, prepared } from '@app/platform/database/pg-reads/database-reads';
import {
  anyOf,
  directionOf,
  extentOf,
  pageStatement,
  SqlParameters,
  substringPattern,
} from '@app/platform/lists/list-query';
import type { ListRequest, PageQuery } from '@app/platform/lists/paginator';
import {
  IS_OPEN,
  ORGANISATION_READINGS,
  type OrganisationDetails,
  type OrganisationOrder,
  SUB_ORGANISATION_COLUMNS,
  type SubOrganisation,
  type SubOrganisationOrder,
} from './organisation.columns';
import type { OrganisationSearch } from './organisation.types';
import type { PlaceInTree } from './tree-changes';

/** A part of the organisations. */
export type Reach = {
  readonly of: number;
  /**
   * More than {@link MAX_SCANNED} organisations lie beneath, so that a search may use the indexes on texts.
   */
  readonly isLarge: boolean;
} & (
  | /** The organisation itself, if wanted those beneath it, and others whose grants its user uses. */
    { readonly kind: 'reach'; readonly beneath: boolean; readonly granted: readonly number[] }
    /** Only organisations beneath this one. */
  | { readonly kind: 'beneath' }
);

/** The organisations that a list may show: all (for an admin), or a reach. */
export type Scope = { readonly kind: 'all' } | Reach;

/**
 * Maximum organisations of a reach that a search reads one by one, with their users. The indexes on texts
 * cover the whole service: their cost grows with the service, and two letters match most rows.
 */
export const MAX_SCANNED = 10_000;

/** The total of a search of all organisations, which its statement counts first. */
const COUNTED = '(SELECT total FROM matches)';
const MANY = '(SELECT beneath_count / 100 FROM organisations WHERE id = 1)';

/**
 * Walks along the index of the order for many matches. A few may all lie at its end, so it
 * finds and then sorts them.
 */
const waysTo = (from: string): string[] => [
  `${from} AND ${COUNTED} > ${MANY}`,
  `(SELECT * FROM ${from} AND ${COUNTED} <= ${MANY} OFFSET 0) o`,
];

/** Adds the number of open invitations to a statement of ids; one pass counts them for all. */
const withOpenInvitations = (beneath: string, ids: string): string => `
        SELECT reached.id, coalesce(open.count, 0) AS sort_key FROM (${ids}) reached
        LEFT JOIN (SELECT i.organisation_id, count(*)::integer AS count
          FROM organisation_closure c JOIN invitations i ON i.organisation_id = c.descendant_id
          WHERE c.ancestor_id = ${beneath} AND ${IS_OPEN} GROUP BY i.organisation_id) open
        ON open.organisation_id = reached.id`;

const HAS_ID = 'o.id = $1 AND o.deleted_at IS NULL';

export type OrganisationReading = keyof typeof ORGANISATION_READINGS;

/** An organisation by its id ($1). */
export const ORGANISATION_BY_ID = {
  // Its lists may be long.
  full: prepared<OrganisationDetails>(ORGANISATION_READINGS.full.select(HAS_ID).text),
  summary: ORGANISATION_READINGS.summary.select(HAS_ID),
  withoutUsers: ORGANISATION_READINGS.withoutUsers.select(HAS_ID),
} as const satisfies Readonly<Record<OrganisationReading, unknown>>;

/** Whether organisation $2 is organisation $1 or, with $3, lies beneath it. */
export const IS_WITHIN = `SELECT $1::integer = $2::integer OR $3::boolean AND EXISTS (
  SELECT 1 FROM organisation_closure WHERE ancestor_id = $1 AND descendant_id = $2) AS within`;

/** What places an organisation ($1) in the tree. */
export const PLACE_BY_ID = prepared<PlaceInTree>(
  `SELECT parent_id AS "parentId", reseller_id AS "resellerId", organisation_type AS "organisationType",
     is_reseller AS "isReseller"
   FROM organisations WHERE id = $1`,
);

/** The size of an organisation's reach. */
export interface ReachExtent {
  /** The number of organisations beneath it. */
  readonly beneath: number;
  /** Other organisations gave it grants, which its list asks for first. */
  readonly hasGrants: boolean;
}

/** The extent of organisation $1. */
export const REACH_EXTENT = byKey<ReachExtent>(
  `SELECT beneath_count AS beneath, EXISTS (SELECT FROM acls WHERE grantee_id = $1) AS "hasGrants"
   FROM organisations WHERE id = $1`,
);

type OrganisationList = ListRequest<OrganisationOrder, OrganisationSearch>;

/**
 * A page of organisations with the total, in one statement. Every row has the total; a page beyond the
 * end is one row with a null id. Without a filter the total comes from counts that the tree triggers
 * maintain, at constant cost.
 */
export function organisationPage(
  scope: Scope,
  request: OrganisationList,
  reading: OrganisationReading,
): PageQuery<OrganisationDetails> {
  const columns = ORGANISATION_READINGS[reading];
  const parameters = new SqlParameters();
  const { conditions, collections } = selectionOf(scope, request, parameters);
  const branches = branchesOf(scope, parameters, conditions.length > 0);
  const filtered = branches.map((branch) => [branch, ...conditions].join(' AND '));
  const key = columns.orderOf(request.orderBy);
  const direction = directionOf(request);
  const order = `${request.orderBy === 'id' ? '' : `${key} ${direction}, `}o.id ${direction}`;
  const reached = { ...request, offset: 0, limit: request.offset + request.limit };
  const isSearchOfAll = scope.kind === 'all' && conditions.length > 0;
  const count =
    conditions.length === 0
      ? totalOf(scope, parameters)
      : filtered.map((from) => `(SELECT count(*) FROM ${from})`).join(' + ');
  const total = isSearchOfAll ? COUNTED : count;
  const common = isSearchOfAll
    ? [...collections, `matches AS MATERIALIZED (SELECT ${count} AS total)`]
    : collections;
  const prelude = common.length === 0 ? '' : `WITH ${common.join(', ')}`;
  const rows = (isSearchOfAll ? filtered.flatMap(waysTo) : filtered).map(
    (from) =>
      `(SELECT o.id, ${key} AS sort_key FROM ${from} ORDER BY ${order} ${extentOf(reached, parameters)})`,
  );
  const picked = `(SELECT * FROM (${rows.join(' UNION ALL ')}) reached
          ORDER BY sort_key ${direction}, id ${direction}
          ${extentOf(request, parameters)}) picked
        JOIN organisations o ON o.id = picked.id ${columns.joins}`;
  const text =
    request.mode === 'stream'
      ? // A streamed list shows no total, so that a page beyond the end may be empty. The
        // first rows come early, in the
        // order of `picked`.
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
  // The size of other scopes varies too much for one shared plan.
  const isQuick = scope.kind === 'all' && reading !== 'full';
  const statement = pageStatement<OrganisationDetails>(`${columns.nameOf('list')} ${text}`, request, {
    isQuick,
  });
  return { statement, values: parameters.values };
}

/** A page of the organisations beneath one. Only a streamed page has a total; it replaces the look-ahead. */
export function subOrganisationPage(
  { of, isLarge }: Pick<Reach, 'of' | 'isLarge'>,
  request: ListRequest<SubOrganisationOrder>,
): PageQuery<SubOrganisation> {
  const parameters = new SqlParameters();
  const scope: Scope = { kind: 'beneath', of, isLarge };
  const isSearched = request.filter !== undefined;
  const [beneath] = branchesOf(scope, parameters, isSearched);
  const { conditions: narrowing } = selectionOf(scope, { ...request, search: {} }, parameters);
  // The indexed text includes the tax number, which these items hide. The index finds candidates,
  // and this condition decides.
  const own = `organisation_search_text(o.name, '', o.street, o.house_number, o.zip, o.city)`;
  const conditions =
    request.filter === undefined ? narrowing : [...narrowing, parameters.contains(request.filter, own)];
  const from = [beneath, ...conditions].join(' AND ');
  // The index on this column of the closure returns the rows in order.
  const id = `${isSearched && !isLarge ? 'o.id' : 'beneath.descendant_id'} AS id`;
  const rows =
    request.orderBy === 'openInvitations'
      ? withOpenInvitations(parameters.add(of), `SELECT ${id} FROM ${from}`)
      : `SELECT ${id}, ${SUB_ORGANISATION_COLUMNS.orderOf(request.orderBy)} AS sort_key FROM ${from}`;
  const total =
    request.mode === 'stream' && conditions.length === 0
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

/** SQL for the ids of a reach, possibly with duplicates. */
function idsOf(reach: Reach, parameters: SqlParameters): string {
  const of = parameters.add(reach.of);
  const beneath = `SELECT descendant_id FROM organisation_closure WHERE ancestor_id = ${of}`;
  if (reach.kind === 'beneath') return beneath;
  return [
    `SELECT ${of}::integer`,
    ...(reach.beneath ? [beneath] : []),
    ...(reach.granted.length === 0 ? [] : [`SELECT unnest(${parameters.add(reach.granted)}::integer[])`]),
  ].join(' UNION ALL ');
}

/**
 * FROM and WHERE of the disjoint parts of a scope; in each, `o` is the organisation. A search in a small
 * reach has one part: OFFSET 0 makes PostgreSQL read the organisations of the reach before their texts. The
 * closure has no deleted organisations, but a search repeats `deleted_at IS NULL`, because PostgreSQL needs
 * it to use the partial indexes on texts.
 */
function branchesOf(scope: Scope, parameters: SqlParameters, searched: boolean): string[] {
  if (scope.kind === 'all') return ['organisations o WHERE o.deleted_at IS NULL'];
  if (searched && !scope.isLarge) {
    const ids = idsOf(scope, parameters);
    return [
      `(SELECT * FROM organisations WHERE id = ANY (ARRAY(${ids})) AND deleted_at IS NULL OFFSET 0) o WHERE true`,
    ];
  }
  const of = parameters.add(scope.of);
  const beneath = `organisation_closure beneath JOIN organisations o ON o.id = beneath.descendant_id
    WHERE beneath.ancestor_id = ${of}${searched ? ' AND o.deleted_at IS NULL' : ''}`;
  if (scope.kind === 'beneath') return [beneath];
  return [
    `organisations o WHERE o.id = ${of} AND o.deleted_at IS NULL`,
    ...(scope.beneath ? [beneath] : []),
    ...(scope.granted.length === 0
      ? []
      : [
          `organisations o WHERE o.id = ANY (${parameters.add(scope.granted)}::integer[]) AND o.deleted_at IS NULL`,
        ]),
  ];
}

/** The number of organisations in a scope, from counts that the tree triggers keep. */
function totalOf(scope: Scope, parameters: SqlParameters): string {
  if (scope.kind === 'all') return '(SELECT 1 + beneath_count FROM organisations WHERE id = 1)';
  // PostgreSQL refuses unused parameters, so each is added only where it is used.
  const beneath = () => `(SELECT beneath_count FROM organisations WHERE id = ${parameters.add(scope.of)})`;
  if (scope.kind === 'beneath') return beneath();
  const ownAndBeneath = scope.beneath ? `1 + ${beneath()}` : '1';
  if (scope.granted.length === 0) return ownAndBeneath;
  return `${ownAndBeneath} + ${parameters.add(scope.granted.length)}::integer`;
}

interface Selection {
  /** Conditions on `o`; empty selects the whole scope. */
  readonly conditions: readonly string[];
  /** The parts of the WITH clause that the conditions use. */
  readonly collections: readonly string[];
}

/**
 * The condition that a filter with digits and punctuation, as countries group tax numbers, is
 * a part of the tax number at the end of the searched text, which has none.
 */
function inTaxNumber(text: string, filter: string, parameters: SqlParameters): string[] {
  if (!/\d.*[.,:;/-]|[.,:;/-].*\d/.test(filter)) return [];
  return [`${text} LIKE E'%\\x1e' || tax_number_form(${parameters.add(substringPattern(filter))})`];
}

function selectionOf(
  scope: Scope,
  request: Pick<OrganisationList, 'filter' | 'search'>,
  parameters: SqlParameters,
): Selection {
  const { filter, search } = request;
  const contains = (text: string, value: string): string => parameters.contains(value, text);
  const collections: string[] = [];
  const usersWith = (text: string, value: string): string => {
    // OFFSET 0 makes PostgreSQL look up each organisation instead of reading the
    // users of other organisations.
    if (scope.kind !== 'all' && !scope.isLarge)
      return `EXISTS (SELECT FROM users u WHERE u.organisation_id = o.id AND u.deleted_at IS NULL
        AND ${contains(text, value)} OFFSET 0)`;
    const inReach = scope.kind === 'all' ? '' : `AND u.organisation_id IN (${idsOf(scope, parameters)})`;
    const name = `users_with_${collections.length}`;
    // The indexed text contains both searched texts. The index finds candidates, and the
    // second condition decides.
    const indexed = contains('user_search_text(u.username, u.first_name, u.last_name)', value);
    // An array makes PostgreSQL scan the users once. Without statistics, such as after an import, it may plan
    // a join as one scan of the users per organisation.
    collections.push(`${name} AS MATERIALIZED (SELECT ARRAY(SELECT u.organisation_id FROM users u
      WHERE u.deleted_at IS NULL AND ${indexed} AND ${contains(text, value)} ${inReach}) AS organisation_ids)`);
    return `o.id = ANY ((SELECT organisation_ids FROM ${name})::integer[])`;
  };
  const conditions: string[] = [];
  if (filter !== undefined) {
    const text = 'organisation_search_text(o.name, o.tax_number, o.street, o.house_number, o.zip, o.city)';
    conditions.push(anyOf([contains(text, filter), ...inTaxNumber(text, filter, parameters)]));
  }
  const { name, taxNumber, externalId } = search;
  if (name !== undefined) conditions.push(contains('search_form(o.name)', name));
  if (taxNumber !== undefined) {
    const pattern = parameters.add(substringPattern(taxNumber));
    conditions.push(`tax_number_form(o.tax_number) LIKE tax_number_form(${pattern})`);
  }
  if (externalId !== undefined) conditions.push(contains('search_form(o.external_id)', externalId));
  if (search.organisationType !== undefined) {
    conditions.push(`o.organisation_type::text = ${parameters.add(search.organisationType)}`);
  }
  if (search.userFullname !== undefined) {
    conditions.push(
      usersWith(
        `search_form(u.first_name || ' ' || u.last_name || ' ' || u.first_name)`,
        search.userFullname,
      ),
    );
  }
  if (search.userEmail !== undefined) {
    // A user name without @ is no e-mail address.
    conditions.push(
      usersWith(`search_form(CASE WHEN u.username LIKE '%@%' THEN u.username END)`, search.userEmail),
    );
  }
  return { conditions, collections };
}
