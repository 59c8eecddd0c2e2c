import { prepared } from '@app/core/database/sql';
import { substringPattern } from '@app/core/paging/list-request';
import type { Query } from '@app/core/paging/lists';
import type { ListRequest } from '@app/core/paging/page';
import type { OrganisationOrder, OrganisationSearch, SubOrganisationOrder } from './organisation.values';

/** Which organisations a list is about. */
export type Scope =
  /** Every organisation (an admin's). */
  | { readonly kind: 'all' }
  /** The organisation itself, those beneath it where asked for, and those that granted access to it. */
  | { readonly kind: 'reach'; readonly of: number; readonly beneath: boolean; readonly granted: boolean }
  /** Only those beneath the organisation. */
  | { readonly kind: 'beneath'; readonly of: number };

const COLUMN_OF: Readonly<Record<OrganisationOrder, string>> = {
  id: 'id',
  name: 'name',
  taxNumber: 'tax_number',
  mustPayTax: 'must_pay_tax',
  remarksToPrintInvoice: 'remarks_to_print_invoice',
  externalId: 'external_id',
  updateEntitiesOnly: 'update_entities_only',
  preventDeactivation: 'prevent_deactivation',
  parentId: 'parent_id',
  externalInfoRequired: 'external_info_required',
  nextInvoiceRun: 'next_invoice_run',
  required2fa: 'required_2fa',
  agencyMode: 'agency_mode',
  bundleProRata: 'bundle_pro_rata',
  testAccount: 'test_account',
  beforeFirstOrder: 'before_first_order',
  street: 'street',
  houseNumber: 'house_number',
  zip: 'zip',
  city: 'city',
  paymentPeriod: 'payment_period',
  source1: 'source1',
  source2: 'source2',
  resellerKickback: 'reseller_kickback',
  defaultResellerKickback: 'default_reseller_kickback',
  pdfInvoice: 'pdf_invoice',
  peppolInvoicing: 'peppol_invoicing',
  discount: 'discount',
  isSoft: 'is_soft',
  prePaymentRequired: 'pre_payment_required',
  information: 'information',
};

const SUB_COLUMN_OF: Readonly<Record<SubOrganisationOrder, string>> = {
  id: 'id',
  name: 'name',
  street: 'street',
  houseNumber: 'house_number',
  zip: 'zip',
  city: 'city',
  parentId: 'parent_id',
  openInvitations: 'open_invitations',
};

const USERS_OF_O = `(SELECT coalesce(json_agg(json_build_object('id', u.id, 'username', u.username,
      'firstName', u.first_name, 'lastName', u.last_name, 'roles', u.roles, 'enabled', u.enabled) ORDER BY u.id), '[]')
    FROM users u WHERE u.organisation_id = o.id AND u.deleted_at IS NULL)`;

const IS_OPEN = 'i.accepted_at IS NULL AND i.deleted_at IS NULL AND i.expires_at > now()';

const OPEN_INVITATIONS_OF_O = `(SELECT count(*)::integer FROM invitations i
    WHERE i.organisation_id = o.id AND ${IS_OPEN})`;

/** The organisations of a statement that gives their ids, with their open invitations, counted for all at once. */
const withOpenInvitations = (beneath: string, ids: string): string => `
        SELECT reached.id, coalesce(open.count, 0) AS sort_key FROM (${ids}) reached
        LEFT JOIN (SELECT i.organisation_id, count(*)::integer AS count
          FROM organisation_closure c JOIN invitations i ON i.organisation_id = c.descendant_id
          WHERE c.ancestor_id = ${beneath} AND ${IS_OPEN} GROUP BY i.organisation_id) open
        ON open.organisation_id = reached.id`;

const DETAILS = `o.id, o.name, o.tax_number AS "taxNumber", o.parent_id AS "parentId", o.street,
    o.house_number AS "houseNumber", o.zip, o.city, o.country_code AS "countryCode",
    o.organisation_type AS "organisationType", type.description AS "typeDescription",
    o.external_id AS "externalId", o.external_info_required AS "externalInfoRequired",
    o.must_pay_tax AS "mustPayTax", o.remarks_to_print_invoice AS "remarksToPrintInvoice",
    o.update_entities_only AS "updateEntitiesOnly", o.prevent_deactivation AS "preventDeactivation",
    extract(epoch FROM o.next_invoice_run)::float8 AS "nextInvoiceRun", o.required_2fa AS "required2fa",
    o.agency_mode AS "agencyMode", o.bundle_pro_rata AS "bundleProRata", o.test_account AS "testAccount",
    o.before_first_order AS "beforeFirstOrder", o.payment_period AS "paymentPeriod",
    o.document_interval AS "documentInterval", o.commission_factor AS "commissionFactor", o.source1, o.source2,
    o.reseller_kickback AS "resellerKickback", o.default_reseller_kickback AS "defaultResellerKickback",
    o.pdf_invoice AS "pdfInvoice", o.peppol_invoicing AS "peppolInvoicing", o.discount, o.is_soft AS "isSoft",
    o.pre_payment_required AS "prePaymentRequired", o.default_agreements AS "defaultAgreements", o.information,
    o.price_group_id AS "priceGroupId", price_group.description AS "priceGroupDescription",
    o.invoice_day_min AS "invoiceDayMin", o.invoice_day_max AS "invoiceDayMax", o.beneath_count AS "beneathCount",
    CASE WHEN reseller.id IS NOT NULL THEN json_build_object('id', reseller.id, 'name', reseller.name,
      'taxNumber', reseller.tax_number) END AS reseller,
    ${USERS_OF_O} AS users`;

const DETAILS_JOINS = `JOIN organisation_types type ON type.identifier = o.organisation_type
    JOIN price_groups price_group ON price_group.id = o.price_group_id
    LEFT JOIN organisations reseller ON reseller.id = o.reseller_id`;

/** One organisation by its id ($1). */
export const ORGANISATION_BY_ID = prepared(
  `SELECT ${DETAILS} FROM organisations o ${DETAILS_JOINS} WHERE o.id = $1 AND o.deleted_at IS NULL`,
);

/** Whether organisation $2 is organisation $1 or lies beneath it. */
export const IS_WITHIN = prepared(`SELECT $1::integer = $2::integer OR EXISTS (
  SELECT 1 FROM organisation_closure WHERE ancestor_id = $1 AND descendant_id = $2) AS within`);

type OrganisationList = ListRequest<OrganisationOrder, OrganisationSearch>;

/**
 * A page of organisations with the total, in one statement. Every row carries the total; a page beyond the end
 * is one row whose id is null. Without a filter the total comes from the counts that the tree keeps, so that
 * it costs the same however many organisations there are.
 */
export function organisationPage(scope: Scope, request: OrganisationList): Query {
  const values: unknown[] = [];
  const parameter = (value: unknown): string => `$${values.push(value)}`;
  const { conditions, prelude } = selectionOf(request, parameter);
  const branches = branchesOf(scope, parameter, conditions.length > 0);
  const filtered = branches.map((branch) => [branch, ...conditions].join(' AND '));
  const column = COLUMN_OF[request.orderBy];
  const direction = request.descending ? 'DESC' : 'ASC';
  const reached = request.offset + request.limit + 1;
  const total =
    conditions.length === 0
      ? totalOf(scope, parameter)
      : filtered.map((from) => `(SELECT count(*) FROM ${from})`).join(' + ');
  const order = (from: string): string =>
    column === 'id' ? `${from}.id ${direction}` : `${from}.${column} ${direction}, ${from}.id ${direction}`;
  const rows = filtered.map(
    (from) =>
      `(SELECT o.id, o.${column} AS sort_key FROM ${from} ORDER BY ${order('o')} LIMIT ${parameter(reached)})`,
  );
  const picked = `(SELECT * FROM (${rows.join(' UNION ALL ')}) reached
          ORDER BY sort_key ${direction}, id ${direction}
          LIMIT ${parameter(request.limit + 1)} OFFSET ${parameter(request.offset)}) picked
        JOIN organisations o ON o.id = picked.id ${DETAILS_JOINS}`;
  const text =
    request.streamed === true
      ? // No total is shown, so that no row need carry it beyond the end: the rows come in the order of `picked`,
        // the first ones long before the last.
        `
      ${prelude}
      SELECT (${total})::integer AS "listTotal", ${DETAILS}
      FROM ${picked}
      ORDER BY picked.sort_key ${direction}, picked.id ${direction}`
      : `
      ${prelude}
      SELECT counted.total::integer AS "listTotal", page.*
      FROM (SELECT ${total} AS total) counted
      LEFT JOIN (
        SELECT ${DETAILS}, picked.sort_key AS "sortKey"
        FROM ${picked}
      ) page ON true
      ORDER BY page."sortKey" ${direction}, page.id ${direction}`;
  return { statement: prepared(text), values };
}

/** A page of the organisations beneath one. Only the streamed one has a total, which spares it a look ahead. */
export function subOrganisationPage(of: number, request: ListRequest<SubOrganisationOrder>): Query {
  const values: unknown[] = [];
  const parameter = (value: unknown): string => `$${values.push(value)}`;
  const [beneath] = branchesOf({ kind: 'beneath', of }, parameter, request.filter !== undefined);
  const { conditions: narrowing } = selectionOf({ ...request, search: {} }, parameter);
  // The indexed text holds the tax number too, which these items do not show: it narrows, this decides.
  const own = `organisation_search_text(o.name, '', o.street, o.house_number, o.zip, o.city)`;
  const conditions =
    request.filter === undefined ? narrowing : [...narrowing, like(own, request.filter, parameter)];
  const column = SUB_COLUMN_OF[request.orderBy];
  const from = [beneath, ...conditions].join(' AND ');
  // The closure's own column, so that its index gives the rows in order.
  const id = 'beneath.descendant_id AS id';
  const rows =
    column === 'open_invitations'
      ? withOpenInvitations(parameter(of), `SELECT ${id} FROM ${from}`)
      : `SELECT ${id}, o.${column} AS sort_key FROM ${from}`;
  const total =
    request.streamed === true && conditions.length === 0
      ? `(SELECT beneath_count FROM organisations WHERE id = ${parameter(of)}) AS "listTotal", `
      : '';
  const direction = request.descending ? 'DESC' : 'ASC';
  const bySortKey = column === 'id' ? '' : `sort_key ${direction}, `;
  return {
    statement: prepared(`
      SELECT ${total}o.id, o.name, o.street, o.house_number AS "houseNumber", o.zip, o.city,
        o.country_code AS "countryCode", o.parent_id AS "parentId", ${USERS_OF_O} AS users,
        ${OPEN_INVITATIONS_OF_O} AS "openInvitations"
      FROM (${rows}
        ORDER BY ${bySortKey}id ${direction} LIMIT ${parameter(request.limit + 1)} OFFSET ${parameter(request.offset)}) picked
      JOIN organisations o ON o.id = picked.id
      ORDER BY ${bySortKey}picked.id ${direction}`),
    values,
  };
}

/**
 * FROM and WHERE of the disjoint parts that a scope consists of; `o` is the organisation in each. The closure holds
 * no deleted ones, but a search among those beneath says so once more: the indexes of the texts leave deleted ones out,
 * and are used only where the statement does.
 */
function branchesOf(scope: Scope, parameter: (value: unknown) => string, searched: boolean): string[] {
  if (scope.kind === 'all') return ['organisations o WHERE o.deleted_at IS NULL'];
  const of = parameter(scope.of);
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
function totalOf(scope: Scope, parameter: (value: unknown) => string): string {
  if (scope.kind === 'all') return '(SELECT 1 + beneath_count FROM organisations WHERE id = 1)';
  // PostgreSQL refuses parameters that a statement does not use: each is made where it is.
  const beneath = () => `(SELECT beneath_count FROM organisations WHERE id = ${parameter(scope.of)})`;
  if (scope.kind === 'beneath') return beneath();
  const ownAndBeneath = scope.beneath ? `1 + ${beneath()}` : '1';
  if (!scope.granted) return ownAndBeneath;
  return `${ownAndBeneath} + (SELECT count(*) FROM ${branchesOf(scope, parameter, false).at(-1)})`;
}

/** Whether a lower-case text contains a value, whose case does not matter. */
const like = (text: string, value: string, parameter: (value: unknown) => string): string =>
  `${text} LIKE lower(${parameter(substringPattern(value))})`;

interface Selection {
  /** Conditions on `o`; none where every organisation of the scope is wanted. */
  readonly conditions: readonly string[];
  /** What stands before the statement for them: empty, or a WITH clause. */
  readonly prelude: string;
}

function selectionOf(
  request: Pick<OrganisationList, 'filter' | 'search'>,
  parameter: (value: unknown) => string,
): Selection {
  const { filter, search } = request;
  const contains = (text: string, value: string): string => like(text, value, parameter);
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
    conditions.push(`o.organisation_type::text = ${parameter(search.organisationType)}`);
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
