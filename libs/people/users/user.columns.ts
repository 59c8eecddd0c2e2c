import { Organisation } from '@app/people/organisations/organisation.entity';
import type { Reseller } from '@app/people/organisations/organisation.types';
import { columnsOf, jsonObject, namesOf, type OrderOf, type RowOf, shown } from '@app/platform/lists/columns';
import { ListQuery } from '@app/platform/lists/list-query';
import type { ListRequest } from '@app/platform/lists/paginator';
import { User } from './user.entity';

const ITEM = { ordered: ['id', 'username', 'firstName', 'lastName'], shown: ['roles'] } as const;

export const USER_COLUMNS = columnsOf(User, 'u', ITEM);

/** A user in the list of an organisation's users. */
export type UserItem = RowOf<typeof USER_COLUMNS>;

export type UserOrder = OrderOf<typeof USER_COLUMNS>;

const RESELLER = jsonObject<Reseller>(namesOf(Organisation, 'reseller', ['id', 'name', 'taxNumber']));

const ORGANISATION_FIELDS_OF_USER = [
  'id',
  'name',
  'street',
  'houseNumber',
  'zip',
  'city',
  'countryCode',
  'organisationType',
  'updateEntitiesOnly',
  'prePaymentRequired',
  'externalInfoRequired',
  'agencyMode',
] as const;

/** The organisation of a user, as responses about the user show it. */
export interface OrganisationOfUser extends Readonly<
  Pick<Organisation, (typeof ORGANISATION_FIELDS_OF_USER)[number]>
> {
  readonly reseller: Reseller | null;
}

const ORGANISATION = jsonObject<OrganisationOfUser>({
  ...namesOf(Organisation, 'o', ORGANISATION_FIELDS_OF_USER),
  reseller: `CASE WHEN reseller.id IS NOT NULL THEN ${RESELLER} END`,
});

/** A team that a user is a member of. */
export interface TeamOfUser {
  readonly id: number;
  readonly name: string;
  readonly autoAddSshkey: boolean;
}

const TEAM = jsonObject<TeamOfUser>({ id: 't.id', name: 't.name', autoAddSshkey: 't.auto_add_sshkey' });

const USER_DETAILS_COLUMNS = columnsOf(User, 'u', {
  ordered: ITEM.ordered,
  shown: [...ITEM.shown, 'language', 'enabled', 'secondFactor'],
  sql: {
    organisation: shown<OrganisationOfUser>(ORGANISATION),
    teams: shown<readonly TeamOfUser[]>(
      `(SELECT coalesce(json_agg(${TEAM} ORDER BY t.id), '[]')
      FROM team_members m JOIN teams t ON t.id = m.team_id WHERE m.user_id = u.id)`,
    ),
  },
  joins: `JOIN organisations o ON o.id = u.organisation_id
  LEFT JOIN organisations reseller ON reseller.id = o.reseller_id`,
});

/** A user with all fields of any response. */
export type UserDetails = RowOf<typeof USER_DETAILS_COLUMNS>;

/** A user with organisation and teams, by its id ($1). */
export const USER_BY_ID = USER_DETAILS_COLUMNS.select('u.id = $1 AND u.deleted_at IS NULL');

/** A page of the users of an organisation. */
export const userPage = (organisationId: number, request: ListRequest<UserOrder>) =>
  new ListQuery(USER_COLUMNS, request)
    .with('u.organisation_id', organisationId)
    .where('u.deleted_at IS NULL')
    .filteredByForm('user_search_text(u.username, u.first_name, u.last_name)')
    .page();
