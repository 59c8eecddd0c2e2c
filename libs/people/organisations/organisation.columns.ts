import { type Column, columnsOf, jsonList, jsonObject, type OrderOf } from '@app/platform/lists/list-query';
import type { OrganisationDetails, OrganisationUser, Reseller, SubOrganisation } from './organisation.types';

/** Callers who may set a field: any manager of the organisation, its reseller or an admin, admins only, or none. */
export type Writer = 'manager' | 'reseller' | 'admin' | 'nobody';

interface OrganisationColumn extends Column {
  /** Also who may order or search by the field, because that reveals it too. */
  readonly shownTo: 'all' | 'admin' | 'nobody';
  readonly writableBy: Writer;
}

const USER = jsonObject<OrganisationUser>({
  id: 'u.id',
  username: 'u.username',
  firstName: 'u.first_name',
  lastName: 'u.last_name',
  roles: 'u.roles',
  enabled: 'u.enabled',
});

/** Most users of a quick read. It reads one more: an organisation with more users needs the whole read. */
export const FEW_USERS = 50;

const usersOf = (most?: number): string =>
  jsonList(USER, 'FROM users u WHERE u.organisation_id = o.id AND u.deleted_at IS NULL', 'u.id', most);

const RESELLER = jsonObject<Reseller>({
  id: 'reseller.id',
  name: 'reseller.name',
  taxNumber: 'reseller.tax_number',
});

/** Whether invitation `i` is open. */
export const IS_OPEN = 'i.accepted_at IS NULL AND i.deleted_at IS NULL AND i.expires_at > now()';

/** Every field of an organisation. Errors name the fields of a request in this order. */
export const ORGANISATION_FIELDS = {
  id: { read: 'o.id', order: true, shownTo: 'all', writableBy: 'nobody' },
  name: { read: 'o.name', order: true, shownTo: 'all', writableBy: 'manager' },
  taxNumber: { read: 'o.tax_number', order: true, shownTo: 'all', writableBy: 'manager' },
  resellerId: { read: 'o.reseller_id', order: false, shownTo: 'all', writableBy: 'manager' },
  parentId: { read: 'o.parent_id', order: true, shownTo: 'all', writableBy: 'admin' },
  externalId: { read: 'o.external_id', order: true, shownTo: 'admin', writableBy: 'admin' },
  street: { read: 'o.street', order: true, shownTo: 'all', writableBy: 'manager' },
  houseNumber: { read: 'o.house_number', order: true, shownTo: 'all', writableBy: 'manager' },
  zip: { read: 'o.zip', order: true, shownTo: 'all', writableBy: 'manager' },
  city: { read: 'o.city', order: true, shownTo: 'all', writableBy: 'manager' },
  countryCode: { read: 'o.country_code', order: false, shownTo: 'all', writableBy: 'manager' },
  organisationType: { read: 'o.organisation_type', order: false, shownTo: 'all', writableBy: 'manager' },
  externalInfoRequired: {
    read: 'o.external_info_required',
    order: true,
    shownTo: 'all',
    writableBy: 'manager',
  },
  remarksToPrintInvoice: {
    read: 'o.remarks_to_print_invoice',
    order: true,
    shownTo: 'all',
    writableBy: 'manager',
  },
  nextInvoiceRun: {
    read: 'extract(epoch FROM o.next_invoice_run)::float8',
    order: 'o.next_invoice_run',
    shownTo: 'all',
    writableBy: 'manager',
  },
  required2fa: { read: 'o.required_2fa', order: true, shownTo: 'all', writableBy: 'manager' },
  agencyMode: { read: 'o.agency_mode', order: true, shownTo: 'all', writableBy: 'admin' },
  bundleProRata: { read: 'o.bundle_pro_rata', order: true, shownTo: 'all', writableBy: 'manager' },
  testAccount: { read: 'o.test_account', order: true, shownTo: 'all', writableBy: 'manager' },
  beforeFirstOrder: { read: 'o.before_first_order', order: true, shownTo: 'all', writableBy: 'nobody' },
  information: { read: 'o.information', order: true, shownTo: 'all', writableBy: 'manager' },
  defaultAgreements: { read: 'o.default_agreements', order: false, shownTo: 'admin', writableBy: 'manager' },
  invoiceDayMin: { read: 'o.invoice_day_min', order: false, shownTo: 'all', writableBy: 'manager' },
  invoiceDayMax: { read: 'o.invoice_day_max', order: false, shownTo: 'all', writableBy: 'manager' },
  resellerKickback: { read: 'o.reseller_kickback', order: true, shownTo: 'admin', writableBy: 'admin' },
  defaultResellerKickback: {
    read: 'o.default_reseller_kickback',
    order: true,
    shownTo: 'admin',
    writableBy: 'admin',
  },
  paymentPeriod: { read: 'o.payment_period', order: true, shownTo: 'admin', writableBy: 'admin' },
  commissionFactor: { read: 'o.commission_factor', order: false, shownTo: 'nobody', writableBy: 'admin' },
  documentInterval: { read: 'o.document_interval', order: false, shownTo: 'nobody', writableBy: 'admin' },
  source1: { read: 'o.source1', order: true, shownTo: 'all', writableBy: 'admin' },
  source2: { read: 'o.source2', order: true, shownTo: 'all', writableBy: 'admin' },
  mustPayTax: { read: 'o.must_pay_tax', order: true, shownTo: 'all', writableBy: 'admin' },
  priceGroupId: { read: 'o.price_group_id', order: false, shownTo: 'admin', writableBy: 'admin' },
  preventDeactivation: { read: 'o.prevent_deactivation', order: true, shownTo: 'all', writableBy: 'admin' },
  pdfInvoice: { read: 'o.pdf_invoice', order: true, shownTo: 'all', writableBy: 'admin' },
  updateEntitiesOnly: { read: 'o.update_entities_only', order: true, shownTo: 'all', writableBy: 'reseller' },
  peppolInvoicing: { read: 'o.peppol_invoicing', order: true, shownTo: 'all', writableBy: 'nobody' },
  discount: { read: 'o.discount', order: true, shownTo: 'admin', writableBy: 'nobody' },
  isSoft: { read: 'o.is_soft', order: true, shownTo: 'all', writableBy: 'nobody' },
  prePaymentRequired: { read: 'o.pre_payment_required', order: true, shownTo: 'admin', writableBy: 'nobody' },
  beneathCount: { read: 'o.beneath_count', order: false, shownTo: 'nobody', writableBy: 'nobody' },
  reseller: {
    read: `CASE WHEN reseller.id IS NOT NULL THEN ${RESELLER} END`,
    order: false,
    shownTo: 'all',
    writableBy: 'nobody',
  },
  typeDescription: { read: 'type.description', order: false, shownTo: 'all', writableBy: 'nobody' },
  priceGroupDescription: {
    read: 'price_group.description',
    order: false,
    shownTo: 'admin',
    writableBy: 'nobody',
  },
  users: { read: usersOf(), order: false, shownTo: 'all', writableBy: 'nobody' },
} as const satisfies Readonly<Record<keyof OrganisationDetails, OrganisationColumn>>;

const organisationColumns = columnsOf<OrganisationDetails>(
  'organisations o',
  `JOIN organisation_types type ON type.identifier = o.organisation_type
    JOIN price_groups price_group ON price_group.id = o.price_group_id
    LEFT JOIN organisations reseller ON reseller.id = o.reseller_id`,
);

const withUsers = (users: string) =>
  organisationColumns({ ...ORGANISATION_FIELDS, users: { ...ORGANISATION_FIELDS.users, read: users } });

export const ORGANISATION_COLUMNS = organisationColumns(ORGANISATION_FIELDS);

/**
 * Three reads of an organisation: with all users, with the first few, and without users for callers who may not see
 * them. The cost of the last two does not grow with the number of users.
 */
export const ORGANISATION_READINGS = {
  whole: ORGANISATION_COLUMNS,
  quick: withUsers(usersOf(FEW_USERS + 1)),
  withoutUsers: withUsers(`'[]'::json`),
};

/** An item of the list of sub-organisations. */
export const SUB_ORGANISATION_COLUMNS = columnsOf<SubOrganisation>('organisations o')({
  id: { read: 'o.id', order: true },
  name: { read: 'o.name', order: true },
  street: { read: 'o.street', order: true },
  houseNumber: { read: 'o.house_number', order: true },
  zip: { read: 'o.zip', order: true },
  city: { read: 'o.city', order: true },
  countryCode: { read: 'o.country_code', order: false },
  parentId: { read: 'o.parent_id', order: true },
  users: { read: usersOf(), order: false },
  openInvitations: {
    read: `(SELECT count(*)::integer FROM invitations i WHERE i.organisation_id = o.id AND ${IS_OPEN})`,
    // A list in this order counts the invitations of all organisations in one pass.
    order: 'open_invitations',
  },
});

export type OrganisationOrder = OrderOf<typeof ORGANISATION_COLUMNS>;

export type SubOrganisationOrder = OrderOf<typeof SUB_ORGANISATION_COLUMNS>;
