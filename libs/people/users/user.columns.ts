import { columnsOf, jsonObject, ListQuery, type OrderOf } from '@app/platform/lists/list-query';
import type { Reseller } from '@app/people/organisations/organisation.types';
import type { OrganisationOfUser, TeamOfUser, UserDetails, UserItem } from './user.types';
import type { ListRequest, PageQuery } from '@app/platform/lists/paginator';

const ITEM = {
  id: { read: 'u.id', order: true },
  username: { read: 'u.username', order: true },
  firstName: { read: 'u.first_name', order: true },
  lastName: { read: 'u.last_name', order: true },
  roles: { read: 'u.roles', order: false },
} as const;

/** A user in lists. */
export const USER_COLUMNS = columnsOf<UserItem>('users u')(ITEM);

const RESELLER = jsonObject<Reseller>({
  id: 'reseller.id',
  name: 'reseller.name',
  taxNumber: 'reseller.tax_number',
});

const ORGANISATION = jsonObject<OrganisationOfUser>({
  id: 'o.id',
  name: 'o.name',
  street: 'o.street',
  houseNumber: 'o.house_number',
  zip: 'o.zip',
  city: 'o.city',
  countryCode: 'o.country_code',
  organisationType: 'o.organisation_type',
  updateEntitiesOnly: 'o.update_entities_only',
  prePaymentRequired: 'o.pre_payment_required',
  externalInfoRequired: 'o.external_info_required',
  agencyMode: 'o.agency_mode',
  reseller: `CASE WHEN reseller.id IS NOT NULL THEN ${RESELLER} END`,
});

const TEAM = jsonObject<TeamOfUser>({ id: 't.id', name: 't.name', autoAddSshkey: 't.auto_add_sshkey' });

/** A user with organisation and teams. */
const USER_DETAILS_COLUMNS = columnsOf<UserDetails>(
  'users u',
  `JOIN organisations o ON o.id = u.organisation_id
  LEFT JOIN organisations reseller ON reseller.id = o.reseller_id`,
)({
  ...ITEM,
  language: { read: 'u.language', order: false },
  enabled: { read: 'u.enabled', order: false },
  secondFactor: { read: 'u.second_factor', order: false },
  organisation: { read: ORGANISATION, order: false },
  teams: {
    read: `(SELECT coalesce(json_agg(${TEAM} ORDER BY t.id), '[]')
      FROM team_members m JOIN teams t ON t.id = m.team_id WHERE m.user_id = u.id)`,
    order: false,
  },
});

/** A user with organisation and teams, by its id ($1). */
export const USER_BY_ID = USER_DETAILS_COLUMNS.select('u.id = $1 AND u.deleted_at IS NULL');

/** A page of the users of an organisation. */
export const userPage = (organisationId: number, request: ListRequest<UserOrder>): PageQuery<UserItem> =>
  new ListQuery(USER_COLUMNS, request)
    .with('u.organisation_id', organisationId)
    .where('u.deleted_at IS NULL')
    .filteredBy('user_search_text(u.username, u.first_name, u.last_name)')
    .page();

/** The orders of lists of users. */
export type UserOrder = OrderOf<typeof USER_COLUMNS>;
