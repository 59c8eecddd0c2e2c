import { type FieldError, fieldError, ValidationFailed } from '@app/platform/errors/api-error';
import { type Caller, isAdmin, isCustadmin } from '@app/security/access/caller';
import { jsonNameOf, ORGANISATION_FIELDS, type Writer } from './organisation.columns';
import type { OrganisationChanges, WritableField } from './organisation-changes.types';
import { ORGANISATION } from './shapes/shared/organisation-parts.response';

type Described = keyof typeof ORGANISATION;

/** Descriptions of request fields that differ from the response field or have none. */
const FIELD_WORDS: Readonly<
  Record<Exclude<WritableField, Described>, string> & Partial<Record<WritableField & Described, string>>
> = {
  resellerId:
    'Identifier of the organisation that resells to this one, which the caller must reach. null takes it off, ' +
    'for an admin; from anybody else null leaves it as it is',
  parentId: 'Identifier of the parent in the tree; at creation the operator organisation without one',
  externalId: 'Identifier of the organisation in another system',
  countryCode:
    'Country of the address, ISO 3166-1 alpha-2 or XK in any case, or the UK and EL of the EU; blank counts as absent',
  organisationType: 'Identifier of the type: 1 Customer (at creation), 2 Reseller, 3 Operator',
  nextInvoiceRun: 'When invoices are made next, Unix seconds as text up to the year 9999; null plans no run',
  required2fa:
    'Whether the users must log in with a second factor. Set to true, it ends the logins of those who have none, but for the one presented',
  testAccount: 'Whether it is a test account: true, false, 1 or 0, as text or not',
  defaultAgreements:
    'Agreement id by entity class name, at most 50: apps, domains, generic items, locations, mail groups, systems. [] is the empty object',
  invoiceDayMin: 'Days of the month between which invoices are made; shown in no response',
  invoiceDayMax: 'Days of the month between which invoices are made; shown in no response',
  resellerKickback: 'Commission of the reseller in hundredths of a percent (100 = 1%)',
  defaultResellerKickback: 'Commission, where none other is set, in hundredths of a percent (100 = 1%)',
  paymentPeriod: 'Days within which invoices are paid; 30 at creation',
  commissionFactor: 'Factor of commissions, kept for billing; shown in no response',
  documentInterval: 'Interval of documents, kept for billing; 0 at creation; shown in no response',
  priceGroupId: 'Identifier of the price group; at creation the one named default',
  pdfInvoice: 'Whether invoices are sent as PDF attachments: true, false, 1 or 0, as text or not',
};

/** The rights of the caller, and the reseller of the organisation. */
interface FieldWriter {
  readonly caller: Pick<Caller, 'roles' | 'organisationId'>;
  readonly resellerId: number | null;
}

/** Texts of errors and descriptions for fields that not every manager may set. */
const WORDS: Readonly<Record<Exclude<Writer, 'manager'>, { only: string; error: FieldError }>> = {
  reseller: {
    only: 'Admin and reseller only',
    error: fieldError(
      'ADMIN_OR_RESELLER_ONLY',
      'Only an admin or the reseller of the organisation can set this field.',
    ),
  },
  admin: { only: 'Admin only', error: fieldError('ADMIN_ONLY', 'Only an admin can set this field.') },
  nobody: { only: 'Read only', error: fieldError('READ_ONLY', 'This field cannot be set.') },
};

/** The field of a request: the days of invoices are two fields of the record. */
const requestFieldOf = (field: keyof OrganisationChanges): string =>
  field === 'invoiceDayMin' || field === 'invoiceDayMax' ? 'invoiceDay' : jsonNameOf(field);

/** The description of a request field. A prefix says who may set it, unless every manager may. */
export function describeField(field: WritableField): string {
  const writer: Writer = ORGANISATION_FIELDS[field].writableBy;
  const words = FIELD_WORDS[field] ?? ORGANISATION[field as WritableField & Described].description;
  if (writer === 'manager') return words;
  return `${WORDS[writer].only}; ${words.charAt(0).toLowerCase()}${words.slice(1)}`;
}

/**
 * Removes nulls from fields that the caller may not set: they count as absent. A null reseller link also
 * counts as absent for a caller without ROLE_ADMIN, because clients send it in every PUT and then read the
 * organisation again (rule organisations 17).
 */
export function withoutForeignNulls(input: OrganisationChanges, writer: FieldWriter): OrganisationChanges {
  const entries = Object.entries(input) as [keyof OrganisationChanges, unknown][];
  return Object.fromEntries(
    entries.filter(([field, value]) => value !== null || mayClear(field, writer)),
  ) as unknown as OrganisationChanges;
}

/** @throws ValidationFailed for fields that the caller may not set */
export function assertFieldsWritable(input: OrganisationChanges, writer: FieldWriter): void {
  const errors: Record<string, readonly FieldError[]> = {};
  for (const field of Object.keys(ORGANISATION_FIELDS) as (keyof OrganisationChanges)[]) {
    if (input[field] === undefined || isWritable(field, writer)) continue;
    const { writableBy } = ORGANISATION_FIELDS[field];
    if (writableBy !== 'manager') errors[requestFieldOf(field)] = [WORDS[writableBy].error];
  }
  if (Object.keys(errors).length > 0) throw new ValidationFailed(errors);
}

const MAY_WRITE: Readonly<Record<Writer, (writer: FieldWriter) => boolean>> = {
  manager: () => true,
  reseller: ({ caller, resellerId }) =>
    isAdmin(caller) || (isCustadmin(caller) && caller.organisationId === resellerId),
  admin: ({ caller }) => isAdmin(caller),
  nobody: () => false,
};

const mayClear = (field: keyof OrganisationChanges, writer: FieldWriter): boolean =>
  field === 'resellerId' ? isAdmin(writer.caller) : isWritable(field, writer);

const isWritable = (field: keyof OrganisationChanges, writer: FieldWriter): boolean =>
  MAY_WRITE[ORGANISATION_FIELDS[field].writableBy](writer);
