import { maskOf } from '@app/feeds/audit/masks';
import { searchedForms } from '@app/formats/email-domains';
import { isKnownTo, type ReaderParameters } from '@app/people/users/known-users';
import { alphabetical, bytewise } from '@app/platform/lists/columns';
import {
  directionOf,
  extentOf,
  pageStatement,
  SqlParameters,
  substringPattern,
} from '@app/platform/lists/list-query';
import type { ListRequest, PageQuery } from '@app/platform/lists/paginator';
import { isSuspended } from '@app/security/access/access.queries';
import { type Caller, isAdmin } from '@app/security/access/caller';
import { hasSecondFactor } from '@app/security/access/second-factors';
import { type GrantUser, grantUserValues, isInForce, usesGrantOf } from '@app/security/access/used-grant';
import { OPERATOR_ORGANISATION } from '@app/security/context/operator';
import { type AccessHolder, type AccessOrder, WAYS } from './access-list.types';

/**
 * For each kind of service key, the operations and groups of operations that give it
 * access to the organisation.
 */
export interface KeyOperations {
  readonly own: readonly string[];
  readonly beneath: readonly string[];
  readonly asAdmin: readonly string[];
}

interface AccessSelection {
  readonly organisationId: number;
  readonly reader: Pick<Caller, 'organisationId' | 'roles' | 'usesGrants' | 'userId' | 'credential'>;
  readonly keys: KeyOperations;
}

/** $1 is the organisation of the list. */
const READER: ReaderParameters = { organisation: '$2', admin: '$3' };
const GRANT_READER: GrantUser = {
  id: '$4::integer',
  organisation: '$2',
  credential: '$5::text',
  credentialId: '$6::integer',
};

const IS_ADMIN = `x.roles @> ARRAY['ROLE_ADMIN']`;
const IS_CUSTADMIN = `x.roles @> ARRAY['ROLE_CUSTADMIN']`;
const MAY_UPDATE = `x.operations && ARRAY['organisations.update', 'organisations.*']`;
const OPERATOR = `s.id = ${OPERATOR_ORGANISATION}`;

/**
 * SQL condition: rows of users show who uses the grant of the source. Its managers named a team, or the
 * reader knows them anyway.
 */
const NAMES_ITS_USERS = `(${OPERATOR} OR s.known OR s.agreed)`;

/**
 * The organisations that may have access, each once: the organisation itself, organisations above it or with
 * a grant, and the operator organisation. `for_all`: all its users use the grant. `agreed`: its managers once
 * named a team for the grant. `known` and `admins_known`: the reader may know its users, and its users with
 * ROLE_ADMIN. `reached`: the reader may read the organisation.
 */
const RELATED = `
  SELECT o.id, o.name, related.own, related.above, related.grant_id, given.for_all, given.manages, given.demands,
    given.agreed, ${isSuspended('o.id')} AS suspended,
    ${isKnownTo('anybody', READER)} AS known, ${isKnownTo('an_admin', READER)} AS admins_known,
    ${isKnownTo('anybody', READER)} OR coalesce(${usesGrantOf('o.id', GRANT_READER)}, false) AS reached
  FROM (
    SELECT id, bool_or(own) AS own, bool_or(above) AS above, max(grant_id) AS grant_id
    FROM (
      SELECT $1::integer AS id, true AS own, false AS above, NULL::integer AS grant_id
      UNION ALL SELECT ancestor_id, false, true, NULL FROM organisation_closure WHERE descendant_id = $1
      UNION ALL SELECT ${OPERATOR_ORGANISATION}, $1 = ${OPERATOR_ORGANISATION}, false, NULL
      UNION ALL SELECT grantee_id, false, false, id FROM acls g
        WHERE organisation_id = $1 AND ${isInForce('g')} AND NOT ${isSuspended('$1')}
    ) each_way GROUP BY id
  ) related
  LEFT JOIN LATERAL (
    SELECT g.access = 'read' AND NOT g.only_teams AS for_all, g.access = 'manage' AS manages,
      grantor.required_2fa AS demands, g.only_teams AS agreed
    FROM acls g JOIN organisations grantor ON grantor.id = g.organisation_id WHERE g.id = related.grant_id
  ) given ON true
  JOIN organisations o ON o.id = related.id AND o.deleted_at IS NULL
  CROSS JOIN LATERAL (SELECT o.id AS organisation_id, '{}'::text[] AS roles) anybody
  CROSS JOIN LATERAL (SELECT o.id AS organisation_id, ARRAY['ROLE_ADMIN'] AS roles) an_admin`;

/** Those whose users or keys have access. */
const SOURCES = 'SELECT * FROM related WHERE NOT suspended';

/** SQL for the rows of one table that have access in one way: `s` is the source, `x` the row. */
interface Branch {
  readonly of: 'users' | 'service_keys';
  readonly by: (typeof WAYS)[number];
  /** The source organisations. */
  readonly from: string;
  /** Condition for the rows of a source that belong to no other branch. */
  readonly where: string;
  readonly manages: string;
  /** Condition for the rows that the reader may know. */
  readonly shown: string;
}

const COUNTING_USER = 'x.deleted_at IS NULL AND x.enabled';
const KNOWN_USER = `CASE WHEN ${IS_ADMIN} THEN s.admins_known ELSE s.known END`;

const BRANCHES_OF_USERS: readonly Branch[] = [
  {
    of: 'users',
    by: 'own',
    from: 's.own',
    where: COUNTING_USER,
    manages: `(${IS_CUSTADMIN} OR ${IS_ADMIN})`,
    shown: KNOWN_USER,
  },
  {
    of: 'users',
    by: 'above',
    from: 's.above',
    where: `${COUNTING_USER} AND ${IS_CUSTADMIN} AND NOT ${IS_ADMIN}`,
    manages: 'true',
    shown: KNOWN_USER,
  },
  {
    of: 'users',
    by: 'above',
    from: `${OPERATOR} AND NOT s.own`,
    where: `${COUNTING_USER} AND ${IS_ADMIN}`,
    manages: 'true',
    shown: KNOWN_USER,
  },
  {
    of: 'users',
    by: 'grant',
    from: `s.grant_id IS NOT NULL AND ${NAMES_ITS_USERS}`,
    where: `${COUNTING_USER} AND NOT ${IS_ADMIN} AND NOT (s.above AND ${IS_CUSTADMIN})
      AND (NOT s.manages OR NOT s.demands OR ${hasSecondFactor('x')})
      AND (s.for_all OR ${IS_CUSTADMIN} OR EXISTS (
        SELECT FROM acl_teams t JOIN team_members m ON m.team_id = t.team_id
        WHERE t.acl_id = s.grant_id AND m.user_id = x.id))`,
    manages: 's.manages',
    // Staff of the operator stay masked.
    shown: `(${KNOWN_USER}) OR NOT ${OPERATOR}`,
  },
];

/** A service key never uses grants. */
function branchesOfKeys({ own, beneath, asAdmin }: KeyOperations, parameters: SqlParameters): Branch[] {
  const key = { of: 'service_keys', manages: MAY_UPDATE, shown: 's.known' } as const;
  const mayAny = (operations: readonly string[]): string =>
    `x.expires_at > now() AND x.operations && ${parameters.add(operations)}::text[]`;
  const admins = `x.as_admin AND ${mayAny(asAdmin)}`;
  return [
    { ...key, by: 'own', from: 's.own', where: `NOT x.as_admin AND ${mayAny(own)}` },
    {
      ...key,
      by: 'above',
      from: 's.above',
      where: `NOT x.as_admin AND x.reaches_beneath AND ${mayAny(beneath)}`,
    },
    { ...key, by: 'own', from: `${OPERATOR} AND s.own`, where: admins },
    { ...key, by: 'above', from: `${OPERATOR} AND NOT s.own`, where: admins },
  ];
}

/** Columns that have other names in users and service keys, or are missing there. */
const COLUMNS = {
  users: {
    kind: 'user',
    name: 'username',
    userId: 'x.id',
    roles: 'x.roles',
    lastUsed: 'NULL::timestamptz',
    secondFactor: `x.second_factor = 'enabled'`,
  },
  service_keys: {
    kind: 'serviceKey',
    name: 'name',
    userId: 'NULL::integer',
    roles: `'{}'::text[]`,
    lastUsed: 'x.last_used_at',
    secondFactor: 'false',
  },
} as const;

const accessOf = (manages: string): string => `CASE WHEN ${manages} THEN 'manage' ELSE 'read' END`;

/** The parameters of the texts of which a name contains one; none for every name. */
type Filter = readonly string[];

/** FROM and WHERE of the rows in a branch that the reader may know; `s` is the source. */
function knownRows({ of, where, shown }: Branch, filter: Filter): string {
  const matches = filter.map((pattern) => `search_form(x.${COLUMNS[of].name}) LIKE search_form(${pattern})`);
  const found = matches.length === 0 ? '' : ` AND (${matches.join(' OR ')})`;
  return `FROM ${of} x WHERE x.organisation_id = s.id AND ${where} AND (${shown})${found}`;
}

/** The rows of a branch with their columns. `end` completes the part that reads the sources one by one. */
function listedRows(branch: Branch, filter: Filter, end: string): string {
  const { of, by, from, manages } = branch;
  const { kind, name, userId, roles, lastUsed, secondFactor } = COLUMNS[of];
  return `SELECT '${kind}' AS kind, found.id, found.name, s.id AS "organisationId",
      CASE WHEN s.reached THEN s.name ELSE '' END AS "organisationName", '${by}' AS by, found.access,
      found.roles, found.second_factor AS "secondFactor", found.user_id, found.last_used,
      ${by === 'grant' ? 's.grant_id' : 'NULL::integer'} AS "grantId"
    FROM sources s CROSS JOIN LATERAL (
      SELECT x.id, x.${name} AS name, ${userId} AS user_id, ${roles} AS roles, ${lastUsed} AS last_used,
        ${secondFactor} AS second_factor, ${accessOf(manages)} AS access
      ${knownRows(branch, filter)} ${end}
    ) found
    WHERE ${from}`;
}

/** SQL for the number of rows in each source of a branch. */
const countedRows = (branch: Branch, filter: Filter): string =>
  `SELECT counted.rows FROM sources s CROSS JOIN LATERAL (
      SELECT count(*) AS rows ${knownRows(branch, filter)}) counted WHERE ${branch.from}`;

/** One row for each source with users or keys that the reader may not know. Only the operator has admins. */
function maskedRows(branches: readonly Branch[]): string {
  const found = branches.map(
    ({ of, by, from, where, manages, shown }) => `
    SELECT s.id, s.name, s.reached, ${WAYS.indexOf(by) + 1} AS way, found.access
    FROM sources s CROSS JOIN LATERAL (
      SELECT ${accessOf(manages)} AS access FROM ${of} x
      WHERE x.organisation_id = s.id AND ${where} AND NOT (${shown}) ORDER BY 1 LIMIT 1
    ) found
    WHERE ${from} AND (${OPERATOR} OR NOT s.known)`,
  );
  return `SELECT ${maskOf('masked.id')}, 0, '', masked.id, CASE WHEN masked.reached THEN masked.name ELSE '' END,
      (ARRAY[${WAYS.map((way) => `'${way}'`).join(', ')}])[min(masked.way)],
      min(masked.access), '{}'::text[], false, NULL::integer, NULL::timestamptz, NULL::integer
    FROM (${found.join(' UNION ALL ')}) masked GROUP BY masked.id, masked.name, masked.reached`;
}

/**
 * One row for each grant whose grantee never agreed to it. It shows nothing of the grantee but its id:
 * neither whether it has users, nor whether it is suspended (rule rights 41).
 */
const GRANTEE_ROWS = `
  SELECT 'grantee', 0, '', s.id, CASE WHEN s.reached THEN s.name ELSE '' END, 'grant',
    ${accessOf('s.manages')}, '{}'::text[], false, NULL::integer, NULL::timestamptz, s.grant_id
  FROM related s WHERE s.grant_id IS NOT NULL AND NOT ${NAMES_ITS_USERS}`;

const LAST_USED = `greatest(found.last_used,
    (SELECT max(last_used_at) FROM logins WHERE user_id = found.user_id AND staff_id IS NULL),
    (SELECT max(last_used_at) FROM api_keys WHERE user_id = found.user_id))`;

/** What is looked up for the rows of a page alone. */
const LOOKED_UP = {
  passkeys: `(SELECT count(*)::integer FROM passkeys p WHERE user_id = found.user_id)`,
  apiKeys: '(SELECT count(*)::integer FROM api_keys WHERE user_id = found.user_id AND expires_at > now())',
  lastUsedAt: `floor(extract(epoch FROM ${LAST_USED}))::float8`,
} satisfies Partial<Record<AccessOrder, string>>;

const ORDERS: Readonly<Record<AccessOrder, string>> = {
  kind: bytewise('found.kind'),
  id: 'found.id',
  name: alphabetical('found.name'),
  by: bytewise('found.by'),
  access: bytewise('found.access'),
  secondFactor: 'found."secondFactor"',
  ...LOOKED_UP,
  lastUsedAt: LAST_USED,
  grantId: 'found."grantId"',
};

/**
 * A page of the users and keys with access to the organisation, with their number. In the order of ids, each
 * branch reads an index until the page is full; the same indexes count the rows.
 */
export function accessPage(
  { organisationId, reader, keys }: AccessSelection,
  request: Omit<ListRequest<AccessOrder>, 'search'>,
): PageQuery<AccessHolder> {
  const parameters = new SqlParameters([
    organisationId,
    reader.organisationId,
    isAdmin(reader),
    ...grantUserValues(reader),
  ]);
  const branches = [...BRANCHES_OF_USERS, ...branchesOfKeys(keys, parameters)];
  const wanted = request.filter === undefined ? [] : searchedForms(request.filter);
  const filter = wanted.map((form) => parameters.add(substringPattern(form)));
  const direction = directionOf(request);
  // Masked rows have no name for a filter to match, and an admin sees no masked rows.
  const masked = isAdmin(reader) || filter.length > 0 ? [] : [maskedRows(branches), GRANTEE_ROWS];
  const byId = ['found.id', 'found.kind', 'found."organisationId"'].map((one) => `${one} ${direction}`);
  const isById = request.orderBy === 'id';
  const order = `ORDER BY ${[...(isById ? [] : [`${ORDERS[request.orderBy]} ${direction}`]), ...byId].join(', ')}`;
  // OFFSET 0 prevents PostgreSQL from searching all users for those of one organisation.
  const end = isById
    ? `ORDER BY x.id ${direction} LIMIT ${parameters.add(request.limit + 1 + request.offset)}`
    : 'OFFSET 0';
  const listed = [...branches.map((branch) => listedRows(branch, filter, end)), ...masked];
  const counted = [
    ...branches.map((branch) => countedRows(branch, filter)),
    ...masked.map((rows) => `SELECT count(*) FROM (${rows}) masked`),
  ];
  return {
    statement: pageStatement(
      `WITH related AS MATERIALIZED (${RELATED}), sources AS MATERIALIZED (${SOURCES}),
      page AS (SELECT * FROM (${unionOf(listed)}) found ${order} ${extentOf(request, parameters)})
      SELECT counted.total AS "listTotal", found.*,
        ${Object.entries(LOOKED_UP)
          .map(([name, sql]) => `${sql} AS "${name}"`)
          .join(', ')}
      FROM (SELECT coalesce(sum(rows), 0)::integer AS total FROM (${unionOf(counted)}) counted) counted
        LEFT JOIN page found ON true
      ${order}`,
      request,
    ),
    values: parameters.values,
  };
}

const unionOf = (parts: readonly string[]): string => parts.map((part) => `(${part})`).join(' UNION ALL ');
