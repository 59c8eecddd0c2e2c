import { prepared } from '@app/core/database/sql';
import { substringPattern } from '@app/core/paging/list-request';
import type { Query } from '@app/core/paging/lists';
import type { ListRequest } from '@app/core/paging/page';
import type { UserOrder } from './user.values';

/** A user with organisation and teams, by its id ($1). */
export const USER_BY_ID = prepared(`
  SELECT u.id, u.username, u.first_name AS "firstName", u.last_name AS "lastName", u.roles, u.language, u.enabled,
    u.second_factor AS "secondFactor",
    json_build_object('id', o.id, 'name', o.name, 'street', o.street, 'houseNumber', o.house_number, 'zip', o.zip,
      'city', o.city, 'countryCode', o.country_code, 'organisationType', o.organisation_type,
      'updateEntitiesOnly', o.update_entities_only, 'prePaymentRequired', o.pre_payment_required,
      'externalInfoRequired', o.external_info_required, 'agencyMode', o.agency_mode,
      'reseller', CASE WHEN reseller.id IS NOT NULL THEN json_build_object('id', reseller.id,
        'name', reseller.name, 'taxNumber', reseller.tax_number) END) AS organisation,
    (SELECT coalesce(json_agg(json_build_object('id', t.id, 'name', t.name, 'autoAddSshkey', t.auto_add_sshkey)
        ORDER BY t.id), '[]')
      FROM team_members m JOIN teams t ON t.id = m.team_id WHERE m.user_id = u.id) AS teams
  FROM users u
  JOIN organisations o ON o.id = u.organisation_id
  LEFT JOIN organisations reseller ON reseller.id = o.reseller_id
  WHERE u.id = $1 AND u.deleted_at IS NULL`);

const COLUMN_OF: Readonly<Record<UserOrder, string>> = {
  id: 'id',
  username: 'username',
  firstName: 'first_name',
  lastName: 'last_name',
};

/** A page of the users of an organisation, with one row more than the page to tell that some remain. */
export function userPage(organisationId: number, request: ListRequest<UserOrder>): Query {
  const values: unknown[] = [organisationId, request.limit + 1, request.offset];
  const direction = request.descending ? 'DESC' : 'ASC';
  let condition = '';
  if (request.filter !== undefined) {
    condition = `AND user_search_text(u.username, u.first_name, u.last_name) LIKE lower($4)`;
    values.push(substringPattern(request.filter));
  }
  return {
    statement: prepared(`
      SELECT u.id, u.username, u.first_name AS "firstName", u.last_name AS "lastName", u.roles
      FROM users u
      WHERE u.organisation_id = $1 AND u.deleted_at IS NULL ${condition}
      ORDER BY u.${COLUMN_OF[request.orderBy]} ${direction}, u.id ${direction} LIMIT $2 OFFSET $3`),
    values,
  };
}
