import { OPERATOR_ORGANISATION } from '@app/security/access/roles';
import { fault, ValidationFailed } from '@app/platform/errors/api-error';
import {
  absent,
  type ComparedColumns,
  differences,
  faultOf,
  type Finding,
  identifierIn,
  importFields,
  type ImportKind,
  insertRows,
  jsonOfText,
  MAX_IMPORTED_ID,
  type Missing,
  present,
  readRow,
  refused,
  refusedFor,
} from './import-kind';
import {
  BooleanField,
  IdentifierField,
  IntegerChoiceField,
  IntegerField,
  TextField,
  TimestampField,
} from '@app/platform/dto/field.decorators';
import { validateName } from '@app/platform/dto/text-rules';
import { createShape, type EveryField } from '@app/platform/dto/shapes';
import { Organisation } from '@app/people/organisations/organisation.entity';
import { CountryField } from '@app/people/organisations/shapes/organisation.decorators';
import { AgreementsField } from '@app/people/organisations/shapes/variant-a/organisation.dto';
import { Any, type EntityManager } from 'typeorm';
import { arrangeOrganisations, type TreeNode } from './organisation-import-order';
import { ORGANISATION_CONSTRAINT_ERRORS } from '@app/people/organisations/organisation.types';

/** An organisation of a file: every column except those that the database maintains. */
type ImportedOrganisation = Omit<
  Organisation,
  'beneathCount' | 'createdAt' | 'deletedAt' | 'version' | 'billingVersion'
>;

/** Text that may be left out. */
const OptionalText = (max: number): PropertyDecorator => TextField({ max, emptyIsAbsent: true });

/** One row of the file. It has the names and rules of the interface, and the fields of billing beside them. */
class OrganisationImportRow {
  @IntegerField({ required: true, min: 1, max: MAX_IMPORTED_ID }) id!: number;
  @TextField({ max: 255, required: true, check: validateName }) name!: string;
  @TextField({ max: 64, required: true }) taxNumber!: string;
  @IdentifierField({ declaredAs: 'integer' }) parentOrganisation?: number;
  @IdentifierField({ declaredAs: 'integer' }) resellerOrganisation?: number;
  @OptionalText(255) street?: string;
  @OptionalText(32) houseNumber?: string;
  @OptionalText(32) zip?: string;
  @OptionalText(255) city?: string;
  @CountryField({}) country?: string;
  @IdentifierField({ declaredAs: 'integer' }) organisationType?: number;
  @OptionalText(255) externalId?: string;
  @IntegerChoiceField({ choices: [0, 1, 2] }) externalInfoRequired?: number;
  @BooleanField({}) mustPayTax?: boolean;
  @OptionalText(4000) remarksToPrintInvoice?: string;
  @BooleanField({}) updateEntitiesOnly?: boolean;
  @BooleanField({}) preventDeactivation?: boolean;
  @TimestampField({}) nextInvoiceRun?: number;
  @BooleanField({}) required2fa?: boolean;
  @IntegerField({}) agencyMode?: number;
  @BooleanField({}) bundleProRata?: boolean;
  @BooleanField({}) testAccount?: boolean;
  @OptionalText(255) beforeFirstOrder?: string;
  @IntegerChoiceField({ choices: [0, 30, 60, 90] }) paymentperiod?: number;
  @OptionalText(64) documentInterval?: string;
  @IntegerField({}) commissionFactor?: number;
  @OptionalText(255) source1?: string;
  @OptionalText(255) source2?: string;
  @IntegerField({}) resellerKickback?: number;
  @IntegerField({}) defaultResellerKickback?: number;
  @BooleanField({}) pdfInvoice?: boolean;
  @BooleanField({}) peppolInvoicing?: boolean;
  @OptionalText(64) discount?: string;
  @BooleanField({}) isSoft?: boolean;
  @BooleanField({}) prePaymentRequired?: boolean;
  @AgreementsField({}) defaultAgreements?: Record<string, number>;
  @OptionalText(4000) information?: string;
  @IdentifierField({ declaredAs: 'integer' }) pricegroup?: number;
  @IntegerField({ min: 1, max: 28 }) invoiceDayMin?: number;
  @IntegerField({ min: 1, max: 28 }) invoiceDayMax?: number;
}

function assertInvoiceDays(first: number, last: number): void {
  if (first > last) {
    throw ValidationFailed.on(
      'invoiceDayMin',
      fault('MISMATCH', 'This value should not be above invoiceDayMax.'),
    );
  }
}

/** A field that a row leaves out gets the value that a new organisation gets. */
const rowShape = createShape(OrganisationImportRow, (row): EveryField<ImportedOrganisation> => {
  const { invoiceDayMin = 1, invoiceDayMax = 28 } = row;
  assertInvoiceDays(invoiceDayMin, invoiceDayMax);
  return {
    id: row.id,
    name: row.name,
    taxNumber: row.taxNumber,
    parentId: row.id === OPERATOR_ORGANISATION ? null : (row.parentOrganisation ?? OPERATOR_ORGANISATION),
    resellerId: row.resellerOrganisation ?? null,
    street: row.street ?? '',
    houseNumber: row.houseNumber ?? '',
    zip: row.zip ?? '',
    city: row.city ?? '',
    countryCode: row.country?.toUpperCase() ?? null,
    organisationType: row.organisationType ?? 1,
    externalId: row.externalId ?? null,
    externalInfoRequired: row.externalInfoRequired ?? 0,
    mustPayTax: row.mustPayTax ?? true,
    remarksToPrintInvoice: row.remarksToPrintInvoice ?? null,
    updateEntitiesOnly: row.updateEntitiesOnly ?? false,
    preventDeactivation: row.preventDeactivation ?? true,
    nextInvoiceRun: row.nextInvoiceRun === undefined ? null : new Date(row.nextInvoiceRun * 1000),
    required2fa: row.required2fa ?? false,
    agencyMode: row.agencyMode ?? 0,
    bundleProRata: row.bundleProRata ?? false,
    testAccount: row.testAccount ?? false,
    beforeFirstOrder: row.beforeFirstOrder ?? null,
    paymentPeriod: row.paymentperiod ?? 30,
    documentInterval: row.documentInterval ?? '0',
    commissionFactor: row.commissionFactor ?? null,
    source1: row.source1 ?? null,
    source2: row.source2 ?? null,
    resellerKickback: row.resellerKickback ?? null,
    defaultResellerKickback: row.defaultResellerKickback ?? null,
    pdfInvoice: row.pdfInvoice ?? false,
    peppolInvoicing: row.peppolInvoicing ?? false,
    discount: row.discount ?? '',
    isSoft: row.isSoft ?? false,
    prePaymentRequired: row.prePaymentRequired ?? false,
    defaultAgreements: row.defaultAgreements ?? {},
    information: row.information ?? null,
    priceGroupId: row.pricegroup ?? 1,
    invoiceDayMin,
    invoiceDayMax,
  };
});

const ORGANISATION_IMPORT_FIELDS = importFields(rowShape, { identity: ['id', 'name'] });

/** The fields that a file calls otherwise than the table. */
const PROPERTIES: Readonly<Record<string, keyof ImportedOrganisation>> = {
  parentOrganisation: 'parentId',
  resellerOrganisation: 'resellerId',
  country: 'countryCode',
  paymentperiod: 'paymentPeriod',
  pricegroup: 'priceGroupId',
} satisfies Partial<Record<keyof OrganisationImportRow, keyof ImportedOrganisation>>;

const COMPARED: ComparedColumns = Object.fromEntries(
  ORGANISATION_IMPORT_FIELDS.known.map((name) => [name, PROPERTIES[name] ?? name]),
);

/** Reads a row. Throws {@link ValidationFailed} naming every bad field, unknown ones too if `strict`. */
function readOrganisationImportRow(
  values: Readonly<Record<string, unknown>>,
  strict: boolean,
): ImportedOrganisation {
  const agreements = values['defaultAgreements'];
  return readRow(
    rowShape,
    // A csv cell holds the object as JSON.
    { ...values, ...(agreements !== undefined && { defaultAgreements: agreementsOf(agreements) }) },
    strict,
    [() => assertInvoiceDays(Number(values['invoiceDayMin'] || 1), Number(values['invoiceDayMax'] || 28))],
  );
}

const agreementsOf = (value: unknown): unknown => (value === '' ? undefined : jsonOfText(value));

const ALL_LINKS = `SELECT id, parent_id AS "parentId", reseller_id AS "resellerId", deleted_at IS NOT NULL AS "isDeleted"
  FROM organisations`;

const messageOf = (constraint: string): string => ORGANISATION_CONSTRAINT_ERRORS[constraint]?.message ?? '';

/** Organisations of the previous panel, which keep their identifiers. */
export const organisationImport: ImportKind<ImportedOrganisation, ImportedOrganisation> = {
  table: 'organisations',
  fields: ORGANISATION_IMPORT_FIELDS,
  read: readOrganisationImportRow,
  uniqueIn: ({ id }) => [['id', String(id)]],
  idOf: ({ id }) => id,
  async arrange(manager, { rows, bad }) {
    const nodes = await manager.query<(TreeNode & { isDeleted: boolean })[]>(ALL_LINKS);
    const missingOf = await missingReferences(manager);
    const { missing, ...arrangement } = arrangeOrganisations(
      rows.map(({ line, row }) => ({ ...row, line, faults: faultsOf(missingOf(row)) })),
      nodes.filter(({ isDeleted }) => !isDeleted),
      {
        deleted: new Set(nodes.filter(({ isDeleted }) => isDeleted).map(({ id }) => id)),
        bad: bad.map(({ line, values }) => ({
          line,
          id: identifierIn(values, 'id'),
          parentId: identifierIn(values, 'parentOrganisation'),
          resellerId: identifierIn(values, 'resellerOrganisation'),
        })),
      },
    );
    return {
      ...arrangement,
      missing: bad.map(({ values }, place) => ({
        ...missing[place],
        ...missingOf({
          organisationType: identifierIn(values, 'organisationType'),
          priceGroupId: identifierIn(values, 'pricegroup'),
        }),
      })),
    };
  },
  find,
  insert: (manager, organisations) => insertRows(manager, Organisation, organisations),
  whenDifferent: 'refuse',
};

async function find(
  manager: EntityManager,
  rows: readonly ImportedOrganisation[],
): Promise<Finding<ImportedOrganisation>[]> {
  const stored = await manager.findBy(Organisation, { id: Any(rows.map(({ id }) => id)) });
  const storedById = new Map(stored.map((organisation) => [organisation.id, organisation]));
  const missingOf = await missingReferences(manager);
  return rows.map((row) => {
    const organisation = storedById.get(row.id);
    if (organisation !== undefined && organisation.deletedAt !== null) {
      return refused('id', 'The organisation of this id was deleted here.');
    }
    if (organisation !== undefined) return present(differences(COMPARED, row, organisation));
    const faults = faultsOf(missingOf(row));
    return faults.length === 0 ? absent(row) : refusedFor(faults);
  });
}

const faultsOf = (missing: Missing): string[] =>
  Object.entries(missing).map(([field, message]) => faultOf(field, message));

/** Finds references of a row that lead nowhere, except those to other organisations. */
async function missingReferences(
  manager: EntityManager,
): Promise<(row: { organisationType: number | undefined; priceGroupId: number | undefined }) => Missing> {
  const types = await identifiersOf(manager, 'SELECT identifier AS id FROM organisation_types');
  const priceGroups = await identifiersOf(manager, 'SELECT id FROM price_groups');
  const isMissing = (known: ReadonlySet<number>, id: number | undefined): boolean =>
    id !== undefined && !known.has(id);
  return ({ organisationType, priceGroupId }) => ({
    ...(isMissing(types, organisationType) && {
      organisationType: messageOf('organisations_type_exists'),
    }),
    ...(isMissing(priceGroups, priceGroupId) && {
      pricegroup: messageOf('organisations_price_group_exists'),
    }),
  });
}

async function identifiersOf(manager: EntityManager, query: string): Promise<ReadonlySet<number>> {
  const rows = await manager.query<{ id: number }[]>(query);
  return new Set(rows.map(({ id }) => id));
}
