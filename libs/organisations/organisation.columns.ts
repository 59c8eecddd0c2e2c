import { prepared } from '@app/core/database/prepared-queries';
import { firstItems } from '@app/core/lists/long-list';
import { columnsOf, jsonObject, type Column } from '@app/core/paging/column-table';
import type { OrganisationDetails, OrganisationUser, Reseller, SubOrganisation } from './organisation.types';

/** Who may set a field: whoever manages the organisation, its reseller, admins alone, or no request at all. */
export type Writer = 'manager' | 'reseller' | 'admin' | 'nobody';

interface OrganisationColumn extends Column {
  /** Nobody may order or search by what it is not shown: that would show it too. */
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

/** Users that are read with their organisation; of one with more, the others are read as they are written. */
export const MAX_USERS_AT_ONCE = 500;

/** With so many an organisation is read quickly whatever it has. One more tells that it has to be read with all of them. */
export const FEW_USERS = 50;

const firstUsers = (held: number): string =>
  firstItems(USER, 'FROM users u WHERE u.organisation_id = o.id AND u.deleted_at IS NULL', 'u.id', held);

const USERS = firstUsers(MAX_USERS_AT_ONCE);

/** Those of organisation $1 that follow user $2. */
export const USERS_AFTER = prepared<{ item: OrganisationUser }>(`
  SELECT ${USER} AS item FROM users u WHERE u.organisation_id = $1 AND u.deleted_at IS NULL AND u.id > $2
  ORDER BY u.id LIMIT ${MAX_USERS_AT_ONCE}`);

const RESELLER = jsonObject<Reseller>({
  id: 'reseller.id',
  name: 'reseller.name',
  taxNumber: 'reseller.tax_number',
});

/** Of an invitation `i`. */
export const IS_OPEN = 'i.accepted_at IS NULL AND i.deleted_at IS NULL AND i.expires_at > now()';

/** How many there are in organisation $1. */
export const USERS_COUNT = prepared<{ count: number }>(
  'SELECT count(*)::integer FROM users WHERE organisation_id = $1 AND deleted_at IS NULL',
);

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
  users: { read: USERS, order: false, shownTo: 'all', writableBy: 'nobody' },
} as const satisfies Readonly<Record<keyof OrganisationDetails, OrganisationColumn>>;

const organisationColumns = columnsOf<OrganisationDetails>(
  'organisations o',
  `JOIN organisation_types type ON type.identifier = o.organisation_type
    JOIN price_groups price_group ON price_group.id = o.price_group_id
    LEFT JOIN organisations reseller ON reseller.id = o.reseller_id`,
);

/** An organisation with everything that any answer shows of it. */
export const ORGANISATION_COLUMNS = organisationColumns(ORGANISATION_FIELDS);

/** The same with {@link FEW_USERS}. */
export const ORGANISATION_COLUMNS_WITH_FEW_USERS = organisationColumns({
  ...ORGANISATION_FIELDS,
  users: { ...ORGANISATION_FIELDS.users, read: firstUsers(FEW_USERS) },
});

/** The same for readers who are not shown the users, which may be thousands: there are none in it. */
export const ORGANISATION_COLUMNS_WITHOUT_USERS = organisationColumns({
  ...ORGANISATION_FIELDS,
  users: { ...ORGANISATION_FIELDS.users, read: `'[]'::json` },
});

/** An organisation beneath another, in the list of those. */
export const SUB_ORGANISATION_COLUMNS = columnsOf<SubOrganisation>('organisations o')({
  id: { read: 'o.id', order: true },
  name: { read: 'o.name', order: true },
  street: { read: 'o.street', order: true },
  houseNumber: { read: 'o.house_number', order: true },
  zip: { read: 'o.zip', order: true },
  city: { read: 'o.city', order: true },
  countryCode: { read: 'o.country_code', order: false },
  parentId: { read: 'o.parent_id', order: true },
  users: { read: USERS, order: false },
  openInvitations: {
    read: `(SELECT count(*)::integer FROM invitations i WHERE i.organisation_id = o.id AND ${IS_OPEN})`,
    // A list that is ordered by it counts those of all its organisations at once.
    order: 'open_invitations',
  },
});
