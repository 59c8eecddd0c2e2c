import type { Role } from '@app/core/access/roles';
import type { OrderOf } from '@app/core/paging/column-table';
import type {
  ORGANISATION_COLUMNS,
  ORGANISATION_FIELDS,
  SUB_ORGANISATION_COLUMNS,
} from './organisation.columns';
import type { Organisation } from './organisation.entity';

/** A user as organisations show it. */
export interface OrganisationUser {
  readonly id: number;
  readonly username: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly roles: readonly Role[];
  readonly enabled: boolean;
}

/** The organisation that a customer is linked to as its reseller. */
export interface Reseller {
  readonly id: number;
  readonly name: string;
  readonly taxNumber: string;
}

/** An organisation with everything that any answer shows of it. */
export interface OrganisationDetails extends Omit<
  Organisation,
  'createdAt' | 'deletedAt' | 'nextInvoiceRun'
> {
  /** Unix seconds. */
  readonly nextInvoiceRun: number | null;
  readonly reseller: Reseller | null;
  readonly typeDescription: string;
  readonly priceGroupDescription: string;
  readonly users: readonly OrganisationUser[];
}

/** An organisation for a certain reader: an admin sees all of it, others the reduced set. */
export interface OrganisationForReader {
  readonly organisation: OrganisationDetails;
  readonly readByAdmin: boolean;
}

/** An organisation beneath another, as the list of sub-organisations shows it. */
export interface SubOrganisation {
  readonly id: number;
  readonly name: string;
  readonly street: string;
  readonly houseNumber: string;
  readonly zip: string;
  readonly city: string;
  readonly countryCode: string | null;
  readonly parentId: number | null;
  readonly users: readonly OrganisationUser[];
  readonly openInvitations: number;
}

/** What lists of organisations can be ordered by. */
export type OrganisationOrder = OrderOf<typeof ORGANISATION_COLUMNS>;

/** The searches of `GET /organisations` beside `filter` (Variant A). */
export type OrganisationSearch =
  'organisationType' | 'name' | 'taxNumber' | 'externalId' | 'userFullname' | 'userEmail';

/** What lists of sub-organisations can be ordered by. */
export type SubOrganisationOrder = OrderOf<typeof SUB_ORGANISATION_COLUMNS>;

type Fields = typeof ORGANISATION_FIELDS;

/** The fields that a request may set. */
export type WritableField = {
  [Field in keyof Fields]: Fields[Field]['writableBy'] extends 'nobody' ? never : Field;
}[keyof Fields];

/** Fields of which a request says something else than the row holds. */
interface InputValues {
  parentId: number;
  /** Unix seconds. */
  nextInvoiceRun: number | null;
  defaultAgreements: Record<string, number> | null;
}

/** Fields that a request sets, in the domain's names; undefined: not sent, null: cleared. */
export type OrganisationChanges = Pick<Organisation, 'name' | 'taxNumber'> & {
  [Field in Exclude<WritableField, 'name' | 'taxNumber'>]?: Field extends keyof InputValues
    ? InputValues[Field]
    : Organisation[Field & keyof Organisation];
};

/** What a request may set of an organisation that it creates. */
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
