import { ListQuery, type Query } from '@app/core/paging/list-query';
import type { ListRequest } from '@app/core/paging/page';
import { USER_COLUMNS, USER_DETAILS_COLUMNS } from './user.columns';
import type { UserItem, UserOrder } from './user.types';

/** A user with organisation and teams, by its id ($1). */
export const USER_BY_ID = USER_DETAILS_COLUMNS.select('u.id = $1 AND u.deleted_at IS NULL');

/** A page of the users of an organisation. */
export const userPage = (organisationId: number, request: ListRequest<UserOrder>): Query<UserItem> =>
  new ListQuery(USER_COLUMNS, request)
    .with('u.organisation_id', organisationId)
    .where('u.deleted_at IS NULL')
    .filteredBy('user_search_text(u.username, u.first_name, u.last_name)')
    .page();
