import type { EntityManager } from 'typeorm';
import { Acl } from '@app/people/acls/acl.entity';
import {
  GRANT_ACCESS,
  GRANT_CONSTRAINT_ERRORS,
  GRANT_LIMITS,
  type GrantAccess,
} from '@app/people/acls/grant.types';
import {
  field,
  IdentifierField,
  IntegerField,
  TimestampField,
  WordField,
} from '@app/platform/dto/field.decorators';
import { createShape, type EveryField } from '@app/platform/dto/shapes';
import { fieldError, ValidationFailed } from '@app/platform/errors/api-error';
import { isInForce } from '@app/security/access/used-grant';
import { OPERATOR_ORGANISATION } from '@app/security/context/operator';
import { MAX_IMPORTED_ID } from './identifiers';
import {
  type Amount,
  differences,
  type Finding,
  importFields,
  type ImportKind,
  insertRows,
  jsonOfText,
  readRow,
  reasonIn,
  type SourceValues,
} from './import-kind';
import { lockOwners } from './record-owners';
import { missingReferences } from './references';

/** A grant of the previous panel. */
interface ImportedGrant {
  /** The former identifier, if the row has it. */
  readonly id: number | undefined;
  readonly organisationId: number;
  readonly granteeId: number;
  readonly access: GrantAccess;
  /** Null: it does not end by itself. */
  readonly expiresAt: Date | null;
}

/** A part of an `acls` record. Its values are of the server that made it. */
const PartOfAcl = (): PropertyDecorator =>
  field({ nullable: true }, { emptyIsAbsent: true, documentation: {} });

/** One row of the file: a grant, or a record of `acls` of Variant B, whose names of fields it takes too. */
class GrantImportRow {
  @IntegerField({ min: 1, max: MAX_IMPORTED_ID }) id?: number;
  @IdentifierField({ declaredAs: 'integer', required: true }) organisationId!: number;
  @IdentifierField({ declaredAs: 'integer', required: true }) granteeId!: number;
  @WordField({ words: GRANT_ACCESS }) access?: GrantAccess;
  @TimestampField({}) expires?: number;
  @WordField({ words: ['organisation'] }) object?: 'organisation';
  @PartOfAcl() type?: unknown;
  @PartOfAcl() permissions?: unknown;
  @PartOfAcl() extra?: unknown;
}

const UNKNOWN_PERMISSIONS = fieldError(
  'INVALID',
  'The description of acls does not say what a value here allows: choose read or manage as access.',
);
const OPERATOR_GIVES_NONE = fieldError(
  'NOT_A_CHOICE',
  'The organisation of the operator gives grants to read alone.',
);

const isEmpty = (value: unknown): boolean => {
  const held = jsonOfText(value) ?? '';
  return held === '' || (typeof held === 'object' && Object.keys(held).length === 0);
};

/** The rules for several fields of a row. An old server may mean anything by permissions. */
function assertRights(row: SourceValues): void {
  const { access, organisationId } = row;
  const faults = ['permissions', 'extra'].filter((name) => (access ?? '') === '' && !isEmpty(row[name]));
  if (faults.length > 0)
    throw new ValidationFailed(Object.fromEntries(faults.map((name) => [name, [UNKNOWN_PERMISSIONS]])));
  if (access === 'manage' && Number(organisationId) === OPERATOR_ORGANISATION)
    throw ValidationFailed.on('access', OPERATOR_GIVES_NONE);
}

const shape = createShape(GrantImportRow, (row): EveryField<ImportedGrant> => {
  assertRights({ ...row });
  const { id, organisationId, granteeId, access = 'read', expires } = row;
  const expiresAt = expires === undefined ? null : new Date(expires * 1000);
  return { id, organisationId, granteeId, access, expiresAt };
});

/** The names in a record of `acls`. */
const NAMES_IN_ACLS = { organisationId: 'objectId', granteeId: 'organisation' } as const;

const fields = importFields(shape, {
  identity: ['id', 'organisationId', 'objectId', 'granteeId', 'organisation'],
  otherSpellings: NAMES_IN_ACLS,
});

/** The grantee of a record of `acls` is an object with its id and name. */
function granteeIn(value: unknown): unknown {
  const held = jsonOfText(value);
  return typeof held === 'object' && held !== null && 'id' in held ? held.id : value;
}

/** The row with the names of the fields of a grant. */
function withOwnNames({ objectId, organisation, ...row }: SourceValues): SourceValues {
  return {
    ...row,
    organisationId: row['organisationId'] || objectId,
    granteeId: row['granteeId'] || granteeIn(organisation),
  };
}

const COMPARED = { id: 'id', access: 'access', expires: 'expiresAt' } as const;

/** A stored grant that is in force, with the place of the row that names its parties. */
interface StoredGrant extends ImportedGrant {
  readonly place: number;
}

const STORED = `
  SELECT row.place::integer AS place, a.id, a.organisation_id AS "organisationId", a.grantee_id AS "granteeId", a.access,
    a.expires_at AS "expiresAt"
  FROM unnest($1::integer[], $2::integer[]) WITH ORDINALITY row (organisation_id, grantee_id, place)
  JOIN acls a ON a.organisation_id = row.organisation_id AND a.grantee_id = row.grantee_id AND ${isInForce('a')}`;

/** Ids of grants, ended ones too: their rows are there until a job deletes them. */
const USED_IDS = `SELECT id FROM acls WHERE id = ANY ($1)`;

const IN_THE_FUTURE =
  'SELECT place::integer FROM unnest($1::timestamptz[]) WITH ORDINALITY ends (at, place) WHERE at <= now()';

/** Grants between organisations. The operator answers for them: they rest on the reach of nobody. */
export const grantImport: ImportKind<ImportedGrant, ImportedGrant> = {
  table: 'acls',
  fields,
  read: (values, strict) => {
    const row = withOwnNames(values);
    return readRow(shape, row, strict, [() => assertRights(row)]);
  },
  uniqueIn: ({ id, organisationId, granteeId }) => [
    ['granteeId', `${organisationId} ${granteeId}`],
    ...(id === undefined ? [] : [['id', String(id)] as const]),
  ],
  idOf: ({ id }) => id,
  references: (values) => {
    const { organisationId, granteeId } = withOwnNames(values);
    return { organisationId, granteeId };
  },
  find,
  async insert(manager, grants) {
    const parties = grants.flatMap(({ organisationId, granteeId }) => [organisationId, granteeId]);
    await lockOwners(manager, { userIds: [], organisationIds: [...new Set(parties)] });
    await deleteEnded(manager, grants);
    const withId = grants.filter(({ id }) => id !== undefined);
    const withoutId = grants.filter(({ id }) => id === undefined).map(({ id: _, ...grant }) => grant);
    for (const rows of [withId, withoutId]) await insertRows(manager, Acl, rows as readonly Partial<Acl>[]);
  },
};

async function find(
  manager: EntityManager,
  rows: readonly ImportedGrant[],
): Promise<Finding<ImportedGrant>[]> {
  const missing = await missingReferences(
    manager,
    rows.map(({ organisationId, granteeId }) => ({ organisationId, granteeId })),
  );
  const stored = await manager.query<StoredGrant[]>(STORED, [
    rows.map(({ organisationId }) => organisationId),
    rows.map(({ granteeId }) => granteeId),
  ]);
  const byPlace = new Map(stored.map((grant) => [grant.place - 1, grant]));
  const ids = rows.map(({ id }) => id).filter((id) => id !== undefined);
  const used = new Set((await manager.query<{ id: number }[]>(USED_IDS, [ids])).map(({ id }) => id));
  const ended = await manager.query<{ place: number }[]>(IN_THE_FUTURE, [
    rows.map(({ expiresAt }) => expiresAt),
  ]);
  const endedPlaces = new Set(ended.map(({ place }) => place - 1));
  const amounts = await amountsOf(manager, rows);
  return rows.map((row, place) => {
    const there = byPlace.get(place);
    if (there !== undefined) return { differences: differences(COMPARED, row, there) };
    const isItself = row.organisationId === row.granteeId;
    const faults = {
      ...missing[place],
      ...(isItself && { granteeId: GRANT_CONSTRAINT_ERRORS['acls_not_to_itself']?.message ?? '' }),
      ...(endedPlaces.has(place) && { expires: 'This value should be in the future.' }),
      ...(row.id !== undefined && used.has(row.id) && { id: 'This id belongs to another grant.' }),
    };
    if (Object.keys(faults).length > 0) return { reason: reasonIn(faults) };
    return { record: row, amounts: amounts(row) };
  });
}

/** A grant that has ended makes room for a new one (rule grants 16). */
const deleteEnded = (manager: EntityManager, grants: readonly ImportedGrant[]): Promise<unknown> =>
  manager.query(
    `DELETE FROM acls a USING unnest($1::integer[], $2::integer[]) row (organisation_id, grantee_id)
     WHERE a.organisation_id = row.organisation_id AND a.grantee_id = row.grantee_id AND NOT ${isInForce('a')}`,
    [grants.map(({ organisationId }) => organisationId), grants.map(({ granteeId }) => granteeId)],
  );

/** What triggers count (rule grants 14): grants given, received, and received of one customer. */
const COUNTS = `
  SELECT 'given ' || organisation_id AS owner, count(*)::integer AS present FROM acls a
  WHERE organisation_id = ANY ($1) AND ${isInForce('a')} GROUP BY organisation_id
  UNION ALL
  SELECT 'received ' || grantee_id, count(*)::integer FROM acls a
  WHERE grantee_id = ANY ($2) AND ${isInForce('a')} GROUP BY grantee_id
  UNION ALL
  SELECT 'received ' || a.grantee_id || ' of ' || grantor.customer_id, count(*)::integer
  FROM acls a JOIN organisations grantor ON grantor.id = a.organisation_id
  WHERE a.grantee_id = ANY ($2) AND ${isInForce('a')} GROUP BY a.grantee_id, grantor.customer_id`;

const CUSTOMERS = 'SELECT id, customer_id AS "customerId" FROM organisations WHERE id = ANY ($1)';

async function amountsOf(
  manager: EntityManager,
  rows: readonly ImportedGrant[],
): Promise<(row: ImportedGrant) => readonly Amount[]> {
  const grantors = rows.map(({ organisationId }) => organisationId);
  const counts = await manager.query<{ owner: string; present: number }[]>(COUNTS, [
    grantors,
    rows.map(({ granteeId }) => granteeId),
  ]);
  const present = new Map(counts.map((count) => [count.owner, count.present]));
  const found = await manager.query<{ id: number; customerId: number }[]>(CUSTOMERS, [grantors]);
  const customers = new Map(found.map(({ id, customerId }) => [id, customerId]));
  const amount = (owner: string, most: number, constraint: string): Amount => ({
    owner,
    present: present.get(owner) ?? 0,
    most,
    message: GRANT_CONSTRAINT_ERRORS[constraint]?.message ?? '',
  });
  return ({ organisationId, granteeId }) => [
    amount(`given ${organisationId}`, GRANT_LIMITS.given, 'acls_limit_of_organisation'),
    amount(`received ${granteeId}`, GRANT_LIMITS.received, 'acls_limit_of_grantee'),
    amount(
      `received ${granteeId} of ${customers.get(organisationId)}`,
      GRANT_LIMITS.receivedOfCustomer,
      'acls_limit_of_grantee_from_customer',
    ),
  ];
}
