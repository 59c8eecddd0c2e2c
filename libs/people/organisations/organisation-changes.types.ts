import type { ORGANISATION_FIELDS } from './organisation.columns';
import type { Organisation } from './organisation.entity';

type Fields = typeof ORGANISATION_FIELDS;

/** The fields that a request may set. */
export type WritableField = {
  [Field in keyof Fields]: Fields[Field]['writableBy'] extends 'nobody' ? never : Field;
}[keyof Fields];

/** Fields with another type in requests than in the table. */
interface InputValues {
  parentId: number;
  /** Unix seconds. */
  nextInvoiceRun: number | null;
  defaultAgreements: Record<string, number> | null;
}

/** Fields that a request sets. Undefined: not sent. Null: cleared. */
export type OrganisationChanges = Pick<Organisation, 'name' | 'taxNumber'> & {
  [Field in Exclude<WritableField, 'name' | 'taxNumber'>]?: Field extends keyof InputValues
    ? InputValues[Field]
    : Organisation[Field & keyof Organisation];
};

/** Fields that a request may set at creation. */
export type NewOrganisation = Pick<
  OrganisationChanges,
  | 'name'
  | 'taxNumber'
  | 'resellerId'
  | 'parentId'
  | 'externalId'
  | 'street'
  | 'houseNumber'
  | 'zip'
  | 'city'
  | 'countryCode'
  | 'organisationType'
  | 'externalInfoRequired'
  | 'agencyMode'
  | 'testAccount'
>;
