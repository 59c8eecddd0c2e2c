import { isAdmin, isCustadmin, type Caller } from '@app/core/access/caller';
import { ValidationFailed } from '@app/core/errors/api-error';
import { fault, type Fault } from '@app/core/errors/fault';
import { ORGANISATION_FIELDS, type Writer } from './organisation.columns';
import { FIELD_WORDS } from './organisation-field-words';
import type { OrganisationChanges, WritableField } from './organisation.types';

/** Who sets the fields, and which reseller the organisation has. */
interface FieldWriter {
  readonly caller: Caller;
  readonly resellerId: number | null;
  /** Fields that only admins may set here, beside those that only they may set everywhere. */
  readonly adminOnly: ReadonlySet<WritableField>;
}

/** What errors and descriptions say of a field that not every manager may set. */
const WORDS: Readonly<Record<Exclude<Writer, 'manager'>, { only: string; error: Fault }>> = {
  reseller: {
    only: 'Admin and reseller only',
    error: fault(
      'ADMIN_OR_RESELLER_ONLY',
      'Only an admin or the reseller of the organisation can set this field.',
    ),
  },
  admin: { only: 'Admin only', error: fault('ADMIN_ONLY', 'Only an admin can set this field.') },
  nobody: { only: 'Read only', error: fault('READ_ONLY', 'This field can not be set.') },
};

/** The fields whose wire name is another; the same in both variants. */
const WIRE_NAMES: Readonly<Partial<Record<keyof OrganisationChanges, string>>> = {
  parentId: 'parentOrganisation',
  resellerId: 'resellerOrganisation',
  countryCode: 'country',
  invoiceDayMin: 'invoiceDay',
  invoiceDayMax: 'invoiceDay',
  paymentPeriod: 'paymentperiod',
  priceGroupId: 'pricegroup',
};

/** The fields that a field of a request sets, in whichever variant; none where no request has it. */
export const writableFieldsNamed = (wireName: string): WritableField[] =>
  (Object.keys(ORGANISATION_FIELDS) as (keyof typeof ORGANISATION_FIELDS)[])
    .filter(isWritableAtAll)
    .filter((field) => (WIRE_NAMES[field] ?? field) === wireName);

function isWritableAtAll(field: keyof typeof ORGANISATION_FIELDS): field is WritableField {
  return ORGANISATION_FIELDS[field].writableBy !== 'nobody';
}

/** What the interface description says of a request field: who may set it where not every manager may, and what it is. */
export function describeField(field: WritableField): string {
  const writer: Writer = ORGANISATION_FIELDS[field].writableBy;
  const words = FIELD_WORDS[field];
  if (writer === 'manager') return words;
  return `${WORDS[writer].only}; ${words.charAt(0).toLowerCase()}${words.slice(1)}`;
}

/**
 * The input without nulls in fields that the caller may not set: there they are the same as absent ones. So is the
 * null of a reseller link from who is no admin: clients repeat it in every PUT and then read the organisation back
 * (decisions.md section 11).
 */
export function withoutForeignNulls(input: OrganisationChanges, writer: FieldWriter): OrganisationChanges {
  const entries = Object.entries(input) as [keyof OrganisationChanges, unknown][];
  return Object.fromEntries(
    entries.filter(([field, value]) => value !== null || mayClear(field, writer)),
  ) as unknown as OrganisationChanges;
}

/** Throws ValidationFailed for fields that the caller may not set. */
export function assertFieldsWritable(input: OrganisationChanges, writer: FieldWriter): void {
  const errors: Record<string, readonly Fault[]> = {};
  for (const field of Object.keys(ORGANISATION_FIELDS) as (keyof OrganisationChanges)[]) {
    if (input[field] === undefined || isWritable(field, writer)) continue;
    const writableBy = writerOf(field, writer);
    if (writableBy !== 'manager') errors[WIRE_NAMES[field] ?? field] = [WORDS[writableBy].error];
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
  MAY_WRITE[writerOf(field, writer)](writer);

const writerOf = (field: keyof OrganisationChanges, { adminOnly }: FieldWriter): Writer =>
  adminOnly.has(field) ? 'admin' : ORGANISATION_FIELDS[field].writableBy;
