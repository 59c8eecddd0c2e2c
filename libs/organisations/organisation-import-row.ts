import { OPERATOR_ORGANISATION } from '@app/core/access/role-grants';
import { ValidationFailed } from '@app/core/errors/api-error';
import { fault } from '@app/core/errors/fault';
import { importFields, jsonOfText } from '@app/core/imports/import-fields';
import { MAX_IMPORTED_ID } from '@app/core/imports/sequences';
import {
  BooleanField,
  IdentifierField,
  IntegerChoiceField,
  IntegerField,
  TextField,
} from '@app/core/wire/field.decorators';
import { readBody } from '@app/core/wire/read-body';
import { createShape, type EveryField } from '@app/core/wire/shapes';
import { TimestampField } from '@app/core/wire/timestamp-field.decorator';
import type { Organisation } from './organisation.entity';
import { CountryField } from './shapes/organisation.decorators';
import { AgreementsField } from './shapes/variant-a/billing.decorators';

/** An organisation as an import takes it over: every column but those that the database keeps. */
export type ImportedOrganisation = Omit<Organisation, 'beneathCount' | 'createdAt' | 'deletedAt'>;

/** Text that may be left out. */
const OptionalText = (max: number): PropertyDecorator => TextField({ max, emptyIsAbsent: true });

/** One row of the file. The names and rules are those of the interface, with billing's own fields beside them. */
class OrganisationImportRow {
  @IntegerField({ required: true, min: 1, max: MAX_IMPORTED_ID }) id!: number;
  @TextField({ max: 255, required: true }) name!: string;
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

/** What a row leaves out gets the value of an organisation that is created without it. */
const rowShape = createShape(OrganisationImportRow, (row): EveryField<ImportedOrganisation> => {
  const { invoiceDayMin = 1, invoiceDayMax = 28 } = row;
  if (invoiceDayMin > invoiceDayMax) {
    throw ValidationFailed.on(
      'invoiceDayMin',
      fault('MISMATCH', 'This value should not be above invoiceDayMax.'),
    );
  }
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

export const ORGANISATION_IMPORT_FIELDS = importFields(rowShape);

/** The fields that a file calls otherwise than the table. */
const WIRE_NAMES: Readonly<Record<string, string>> = {
  parentId: 'parentOrganisation',
  resellerId: 'resellerOrganisation',
  countryCode: 'country',
  paymentPeriod: 'paymentperiod',
  priceGroupId: 'pricegroup',
} satisfies Partial<Record<keyof ImportedOrganisation, keyof OrganisationImportRow>>;

export const importName = (property: string): string => WIRE_NAMES[property] ?? property;

/** Reads a row. Throws {@link ValidationFailed} naming every bad field, unknown ones too if `strict`. */
export function readOrganisationImportRow(
  values: Readonly<Record<string, unknown>>,
  strict: boolean,
): ImportedOrganisation {
  const agreements = values['defaultAgreements'];
  return readBody(
    rowShape,
    // In a cell of csv the object is JSON.
    { ...values, ...(agreements !== undefined && { defaultAgreements: agreementsOf(agreements) }) },
    strict,
  );
}

const agreementsOf = (value: unknown): unknown => (value === '' ? undefined : jsonOfText(value));
