import type { Role } from '@app/core/access/roles';
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
  'createdAt' | 'deletedAt' | 'resellerId' | 'nextInvoiceRun'
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
export type OrganisationOrder =
  | 'id'
  | 'name'
  | 'taxNumber'
  | 'mustPayTax'
  | 'remarksToPrintInvoice'
  | 'externalId'
  | 'updateEntitiesOnly'
  | 'preventDeactivation'
  | 'parentId'
  | 'externalInfoRequired'
  | 'nextInvoiceRun'
  | 'required2fa'
  | 'agencyMode'
  | 'bundleProRata'
  | 'testAccount'
  | 'beforeFirstOrder'
  | 'street'
  | 'houseNumber'
  | 'zip'
  | 'city'
  | 'paymentPeriod'
  | 'source1'
  | 'source2'
  | 'resellerKickback'
  | 'defaultResellerKickback'
  | 'pdfInvoice'
  | 'peppolInvoicing'
  | 'discount'
  | 'isSoft'
  | 'prePaymentRequired'
  | 'information';

/** The searches of `GET /organisations` beside `filter` (Variant A). */
export type OrganisationSearch =
  'organisationType' | 'name' | 'taxNumber' | 'externalId' | 'userFullname' | 'userEmail';

/** What lists of sub-organisations can be ordered by. */
export type SubOrganisationOrder =
  'id' | 'name' | 'street' | 'houseNumber' | 'zip' | 'city' | 'parentId' | 'openInvitations';

/** Fields that a request may set, in the domain's names; undefined: not sent, null: cleared. */
export interface OrganisationChanges {
  name: string;
  taxNumber: string;
  resellerId?: number | null;
  parentId?: number;
  externalId?: string | null;
  street?: string;
  houseNumber?: string;
  zip?: string;
  city?: string;
  countryCode?: string | null;
  organisationType?: number;
  externalInfoRequired?: number;
  mustPayTax?: boolean;
  remarksToPrintInvoice?: string | null;
  updateEntitiesOnly?: boolean;
  preventDeactivation?: boolean;
  /** Unix seconds. */
  nextInvoiceRun?: number;
  required2fa?: boolean;
  agencyMode?: number;
  bundleProRata?: boolean;
  testAccount?: boolean;
  paymentPeriod?: number;
  documentInterval?: string;
  commissionFactor?: number | null;
  source1?: string | null;
  source2?: string | null;
  resellerKickback?: number | null;
  defaultResellerKickback?: number | null;
  pdfInvoice?: boolean;
  priceGroupId?: number;
  defaultAgreements?: Record<string, number> | null;
  information?: string | null;
  invoiceDayMin?: number;
  invoiceDayMax?: number;
}
