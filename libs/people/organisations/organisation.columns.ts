import {
  type Column,
  columnsOf,
  jsonList,
  jsonObject,
  namesOf,
  ordered,
  type OrderOf,
  type RowOf,
  shown,
} from '@app/platform/lists/columns';
import { Organisation } from './organisation.entity';
import type { OrganisationUser, Reseller } from './organisation.types';

/**
 * Who may set a field: any manager of the organisation; its reseller and admins; only admins; or no request.
 */
export type Writer = 'manager' | 'reseller' | 'admin' | 'nobody';

interface OrganisationField {
  readonly column: Column | 'ordered' | 'code' | 'shown';
  /**
   * Who sees the field, and its changes in the audit log. Only they may order or search by it, because the
   * result reveals the field.
   */
  readonly shownTo: 'all' | 'admin' | 'nobody';
  readonly writableBy: Writer;
  /** Its name in requests, files of imports and the audit log, where that is another. */
  readonly jsonName?: string;
}

const USER = jsonObject<OrganisationUser>({
  id: 'u.id',
  username: 'u.username',
  firstName: 'u.first_name',
  lastName: 'u.last_name',
  roles: 'u.roles',
  enabled: 'u.enabled',
});

/** Maximum users of the summary. It reads one more, which shows that the full read is needed. */
export const FEW_USERS = 50;

const usersOf = (most?: number): string =>
  jsonList(USER, 'FROM users u WHERE u.organisation_id = o.id AND u.deleted_at IS NULL', 'u.id', most);

const RESELLER = jsonObject<Reseller>(namesOf(Organisation, 'reseller', ['id', 'name', 'taxNumber']));

/** SQL condition: invitation `i` is open. */
export const IS_OPEN = 'i.accepted_at IS NULL AND i.deleted_at IS NULL AND i.expires_at > now()';

/** Every field of an organisation. Errors name the fields of a request in this order. */
export const ORGANISATION_FIELDS = {
  id: { column: 'ordered', shownTo: 'all', writableBy: 'nobody' },
  name: { column: 'ordered', shownTo: 'all', writableBy: 'manager' },
  taxNumber: { column: 'code', shownTo: 'all', writableBy: 'manager' },
  resellerId: { column: 'shown', shownTo: 'all', writableBy: 'manager', jsonName: 'resellerOrganisation' },
  parentId: { column: 'ordered', shownTo: 'all', writableBy: 'admin', jsonName: 'parentOrganisation' },
  externalId: { column: 'code', shownTo: 'admin', writableBy: 'admin' },
  street: { column: 'ordered', shownTo: 'all', writableBy: 'manager' },
  houseNumber: { column: 'ordered', shownTo: 'all', writableBy: 'manager' },
  zip: { column: 'code', shownTo: 'all', writableBy: 'manager' },
  city: { column: 'ordered', shownTo: 'all', writableBy: 'manager' },
  countryCode: { column: 'shown', shownTo: 'all', writableBy: 'manager', jsonName: 'country' },
  organisationType: { column: 'shown', shownTo: 'all', writableBy: 'manager' },
  externalInfoRequired: { column: 'ordered', shownTo: 'all', writableBy: 'manager' },
  remarksToPrintInvoice: { column: 'ordered', shownTo: 'all', writableBy: 'manager' },
  nextInvoiceRun: {
    column: ordered<number | null>('extract(epoch FROM o.next_invoice_run)::float8', 'o.next_invoice_run'),
    shownTo: 'all',
    writableBy: 'manager',
  },
  required2fa: { column: 'ordered', shownTo: 'all', writableBy: 'manager' },
  agencyMode: { column: 'ordered', shownTo: 'all', writableBy: 'admin' },
  bundleProRata: { column: 'ordered', shownTo: 'all', writableBy: 'manager' },
  testAccount: { column: 'ordered', shownTo: 'all', writableBy: 'manager' },
  beforeFirstOrder: { column: 'code', shownTo: 'all', writableBy: 'nobody' },
  information: { column: 'ordered', shownTo: 'all', writableBy: 'manager' },
  defaultAgreements: { column: 'shown', shownTo: 'admin', writableBy: 'manager' },
  invoiceDayMin: { column: 'shown', shownTo: 'all', writableBy: 'manager' },
  invoiceDayMax: { column: 'shown', shownTo: 'all', writableBy: 'manager' },
  resellerKickback: { column: 'ordered', shownTo: 'admin', writableBy: 'admin' },
  defaultResellerKickback: { column: 'ordered', shownTo: 'admin', writableBy: 'admin' },
  paymentPeriod: { column: 'ordered', shownTo: 'admin', writableBy: 'admin', jsonName: 'paymentperiod' },
  commissionFactor: { column: 'shown', shownTo: 'nobody', writableBy: 'admin' },
  documentInterval: { column: 'shown', shownTo: 'nobody', writableBy: 'admin' },
  source1: { column: 'ordered', shownTo: 'all', writableBy: 'admin' },
  source2: { column: 'ordered', shownTo: 'all', writableBy: 'admin' },
  mustPayTax: { column: 'ordered', shownTo: 'all', writableBy: 'admin' },
  priceGroupId: { column: 'shown', shownTo: 'admin', writableBy: 'admin', jsonName: 'pricegroup' },
  preventDeactivation: { column: 'ordered', shownTo: 'all', writableBy: 'admin' },
  pdfInvoice: { column: 'ordered', shownTo: 'all', writableBy: 'admin' },
  updateEntitiesOnly: { column: 'ordered', shownTo: 'all', writableBy: 'reseller' },
  peppolInvoicing: { column: 'ordered', shownTo: 'all', writableBy: 'nobody' },
  discount: { column: 'code', shownTo: 'admin', writableBy: 'nobody' },
  isSoft: { column: 'ordered', shownTo: 'all', writableBy: 'nobody' },
  prePaymentRequired: { column: 'ordered', shownTo: 'admin', writableBy: 'nobody' },
  beneathCount: { column: 'shown', shownTo: 'nobody', writableBy: 'nobody' },
  reseller: {
    column: shown<Reseller | null>(`CASE WHEN reseller.id IS NOT NULL THEN ${RESELLER} END`),
    shownTo: 'all',
    writableBy: 'nobody',
  },
  typeDescription: { column: shown<string>('type.description'), shownTo: 'all', writableBy: 'nobody' },
  priceGroupDescription: {
    column: shown<string>('price_group.description'),
    shownTo: 'admin',
    writableBy: 'nobody',
  },
  users: { column: shown<readonly OrganisationUser[]>(usersOf()), shownTo: 'all', writableBy: 'nobody' },
} as const satisfies Readonly<Record<string, OrganisationField>>;

type Fields = typeof ORGANISATION_FIELDS;

export type OrganisationFieldName = keyof Fields;

export const ORGANISATION_FIELD_NAMES = Object.keys(ORGANISATION_FIELDS) as OrganisationFieldName[];

/** The same in both variants. */
export const jsonNameOf = (field: OrganisationFieldName): string =>
  (ORGANISATION_FIELDS[field] as OrganisationField).jsonName ?? field;

type FieldsThatAre<Kind> = {
  [Field in keyof Fields]: Fields[Field]['column'] extends Kind ? Field : never;
}[keyof Fields];

const entries = Object.entries(ORGANISATION_FIELDS);

const plainFields = <Kind extends 'ordered' | 'code' | 'shown'>(kind: Kind) =>
  entries.flatMap(([field, { column }]) => (column === kind ? [field] : [])) as FieldsThatAre<Kind>[];

const organisationColumns = (users: Fields['users']['column']) =>
  columnsOf(Organisation, 'o', {
    ordered: plainFields('ordered'),
    codes: plainFields('code'),
    shown: plainFields('shown'),
    sql: {
      ...(Object.fromEntries(
        entries.flatMap(([field, { column }]) => (typeof column === 'object' ? [[field, column]] : [])),
      ) as { readonly [Field in FieldsThatAre<Column>]: Fields[Field]['column'] }),
      users,
    },
    joins: `JOIN organisation_types type ON type.identifier = o.organisation_type
    JOIN price_groups price_group ON price_group.id = o.price_group_id
    LEFT JOIN organisations reseller ON reseller.id = o.reseller_id`,
  });

export const ORGANISATION_COLUMNS = organisationColumns(shown(usersOf()));

/** An organisation with all fields that responses show. */
export type OrganisationDetails = RowOf<typeof ORGANISATION_COLUMNS>;

export type OrganisationOrder = OrderOf<typeof ORGANISATION_COLUMNS>;

/** An organisation and its reader: an admin sees all fields, others the reduced set. */
export interface OrganisationForReader {
  readonly organisation: OrganisationDetails;
  readonly readByAdmin: boolean;
}

/**
 * Three reads of an organisation: with all users, with the first few users, and without users for callers who
 * may not see them. The cost of the last two does not depend on the number of users.
 */
export const ORGANISATION_READINGS = {
  full: ORGANISATION_COLUMNS,
  summary: organisationColumns(shown(usersOf(FEW_USERS + 1))),
  withoutUsers: organisationColumns(shown(`'[]'::json`)),
};

export const SUB_ORGANISATION_COLUMNS = columnsOf(Organisation, 'o', {
  ordered: ['id', 'name', 'street', 'houseNumber', 'city', 'parentId'],
  codes: ['zip'],
  shown: ['countryCode'],
  sql: {
    users: shown<readonly OrganisationUser[]>(usersOf()),
    openInvitations: ordered<number>(
      `(SELECT count(*)::integer FROM invitations i WHERE i.organisation_id = o.id AND ${IS_OPEN})`,
      // For this order, a list counts the invitations of all organisations in one pass.
      'open_invitations',
    ),
  },
});

/** An item of the list of sub-organisations. */
export type SubOrganisation = RowOf<typeof SUB_ORGANISATION_COLUMNS>;

export type SubOrganisationOrder = OrderOf<typeof SUB_ORGANISATION_COLUMNS>;
