import type { EntityManager } from 'typeorm';
import { jsonNameOf, ORGANISATION_FIELD_NAMES } from '@app/people/organisations/organisation.columns';
import { Organisation } from '@app/people/organisations/organisation.entity';
import { RESELLER } from '@app/people/organisations/organisation-type';
import { CountryField } from '@app/people/organisations/shapes/organisation.decorators';
import { AgreementsField } from '@app/people/organisations/shapes/variant-a/organisation.dto';
import {
  BooleanField,
  IdentifierField,
  IntegerChoiceField,
  IntegerField,
  TextField,
  TimestampField,
} from '@app/platform/dto/field.decorators';
import { createShape, type EveryField } from '@app/platform/dto/shapes';
import { NAME_RULES } from '@app/platform/dto/text-rules';
import { fieldError, ValidationFailed } from '@app/platform/errors/api-error';
import { OPERATOR_ORGANISATION } from '@app/security/context/operator';
import { MAX_IMPORTED_ID } from './identifiers';
import {
  type ComparedColumns,
  differences,
  type Finding,
  importFields,
  type ImportKind,
  insertRows,
  jsonOfText,
  readRow,
  reasonIn,
  storedRows,
} from './import-kind';
import { arrangeOrganisations, type TreeNode } from './organisation-import-order';
import { identifierIn, missingReferences } from './references';

/** An organisation of a file: all columns except those that the database maintains. */
type ImportedOrganisation = Omit<
  Organisation,
  'beneathCount' | 'customerId' | 'limitTimes' | 'createdAt' | 'deletedAt' | 'version' | 'billingVersion'
>;

/** Text that may be omitted. */
const OptionalText = (max: number): PropertyDecorator => TextField({ max, emptyIsAbsent: true });

/**
 * One row of the file, with the names and rules of the API and the fields of billing. An omitted field gets
 * the value of a new organisation.
 */
class OrganisationImportRow {
  @IntegerField({ required: true, min: 1, max: MAX_IMPORTED_ID }) id!: number;
  @TextField({ max: 255, required: true, rules: NAME_RULES }) name!: string;
  @TextField({ max: 64, required: true }) taxNumber!: string;
  @IdentifierField({ declaredAs: 'integer' }) parentOrganisation = OPERATOR_ORGANISATION;
  @IdentifierField({ declaredAs: 'integer' }) resellerOrganisation: number | null = null;
  @OptionalText(255) street = '';
  @OptionalText(32) houseNumber = '';
  @OptionalText(32) zip = '';
  @OptionalText(255) city = '';
  @CountryField({}) country: string | null = null;
  @IdentifierField({ declaredAs: 'integer' }) organisationType = 1;
  @OptionalText(255) externalId: string | null = null;
  @IntegerChoiceField({ choices: [0, 1, 2] }) externalInfoRequired = 0;
  @BooleanField({}) mustPayTax = true;
  @OptionalText(4000) remarksToPrintInvoice: string | null = null;
  @BooleanField({}) updateEntitiesOnly = false;
  @BooleanField({}) preventDeactivation = true;
  @TimestampField({}) nextInvoiceRun: number | null = null;
  @BooleanField({}) required2fa = false;
  @IntegerField({}) agencyMode = 0;
  @BooleanField({}) bundleProRata = false;
  @BooleanField({}) testAccount = false;
  @OptionalText(255) beforeFirstOrder: string | null = null;
  @IntegerChoiceField({ choices: [0, 30, 60, 90] }) paymentperiod = 30;
  @OptionalText(64) documentInterval = '0';
  @IntegerField({}) commissionFactor: number | null = null;
  @OptionalText(255) source1: string | null = null;
  @OptionalText(255) source2: string | null = null;
  @IntegerField({}) resellerKickback: number | null = null;
  @IntegerField({}) defaultResellerKickback: number | null = null;
  @BooleanField({}) pdfInvoice = false;
  @BooleanField({}) peppolInvoicing = false;
  @OptionalText(64) discount = '';
  @BooleanField({}) isSoft = false;
  @BooleanField({}) prePaymentRequired = false;
  @AgreementsField({}) defaultAgreements: Record<string, number> = {};
  @OptionalText(4000) information: string | null = null;
  @IdentifierField({ declaredAs: 'integer' }) pricegroup = 1;
  @IntegerField({ min: 1, max: 28 }) invoiceDayMin = 1;
  @IntegerField({ min: 1, max: 28 }) invoiceDayMax = 28;
}

function assertInvoiceDays(first: number, last: number): void {
  if (first > last) {
    throw ValidationFailed.on(
      'invoiceDayMin',
      fieldError('MISMATCH', 'This value should not be above invoiceDayMax.'),
    );
  }
}

const shape = createShape(OrganisationImportRow, (row): EveryField<ImportedOrganisation> => {
  const { parentOrganisation, resellerOrganisation, country, nextInvoiceRun, ...others } = row;
  const { paymentperiod, pricegroup, ...same } = others;
  assertInvoiceDays(row.invoiceDayMin, row.invoiceDayMax);
  return {
    ...same,
    parentId: row.id === OPERATOR_ORGANISATION ? null : parentOrganisation,
    resellerId: resellerOrganisation,
    countryCode: country ?? null,
    nextInvoiceRun: nextInvoiceRun === null ? null : new Date(nextInvoiceRun * 1000),
    paymentPeriod: paymentperiod,
    priceGroupId: pricegroup,
    // The operator gives it.
    isReseller: row.organisationType === RESELLER,
  };
});

const ORGANISATION_IMPORT_FIELDS = importFields(shape, { identity: ['id', 'name'] });

/** The property of each field of the file. */
const PROPERTIES = new Map(ORGANISATION_FIELD_NAMES.map((field) => [jsonNameOf(field), field]));

const COMPARED: ComparedColumns = Object.fromEntries(
  ORGANISATION_IMPORT_FIELDS.known.map((name) => [name, PROPERTIES.get(name) ?? name]),
);

/** Reads a row. Throws {@link ValidationFailed} with every bad field; with `strict` also unknown fields. */
function readOrganisationImportRow(
  values: Readonly<Record<string, unknown>>,
  strict: boolean,
): Promise<ImportedOrganisation> {
  const agreements = values['defaultAgreements'];
  return readRow(
    shape,
    // A csv cell contains the object as JSON.
    { ...values, ...(agreements !== undefined && { defaultAgreements: agreementsOf(agreements) }) },
    strict,
    [() => assertInvoiceDays(Number(values['invoiceDayMin'] || 1), Number(values['invoiceDayMax'] || 28))],
  );
}

const agreementsOf = (value: unknown): unknown => (value === '' ? undefined : jsonOfText(value));

const ALL_LINKS = `SELECT id, parent_id AS "parentId", reseller_id AS "resellerId", deleted_at IS NOT NULL AS "isDeleted"
  FROM organisations`;

/** Organisations of the previous panel. They keep their identifiers. */
export const organisationImport: ImportKind<ImportedOrganisation, ImportedOrganisation> = {
  table: 'organisations',
  fields: ORGANISATION_IMPORT_FIELDS,
  read: readOrganisationImportRow,
  uniqueIn: ({ id }) => [['id', String(id)]],
  idOf: ({ id }) => id,
  references: ({ organisationType, pricegroup }) => ({ organisationType, pricegroup }),
  async arrange(manager, { rows, bad }) {
    const nodes = await manager.query<(TreeNode & { isDeleted: boolean })[]>(ALL_LINKS);
    const missing = await missingIn(
      manager,
      rows.map(({ row }) => row),
    );
    return arrangeOrganisations(
      rows.map(({ line, row }, place) => ({ ...row, line, faults: missing[place] ?? {} })),
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
  },
  find,
  insert: (manager, organisations) => insertRows(manager, Organisation, organisations),
};

async function find(
  manager: EntityManager,
  rows: readonly ImportedOrganisation[],
): Promise<Finding<ImportedOrganisation>[]> {
  const properties = ['deletedAt', ...Object.values(COMPARED)] as (keyof Organisation)[];
  const stored = await storedRows(manager, Organisation, properties, 'id = ANY ($1)', [
    rows.map(({ id }) => id),
  ]);
  const storedById = new Map(stored.map((organisation) => [organisation.id, organisation]));
  const missing = await missingIn(manager, rows);
  return rows.map((row, place) => {
    const organisation = storedById.get(row.id);
    if (organisation !== undefined && organisation.deletedAt !== null) {
      return { reason: 'id: The organisation of this id was deleted here.' };
    }
    if (organisation !== undefined) return { differences: differences(COMPARED, row, organisation) };
    const reason = reasonIn(missing[place] ?? {});
    return reason === '' ? { record: row } : { reason };
  });
}

/** References of valid rows to missing records, except to other organisations. */
const missingIn = (manager: EntityManager, rows: readonly ImportedOrganisation[]) =>
  missingReferences(
    manager,
    rows.map(({ organisationType, priceGroupId: pricegroup }) => ({ organisationType, pricegroup })),
  );
