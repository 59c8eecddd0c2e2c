import { ListQuery, type Query } from '@app/core/paging/list-query';
import type { ListRequest } from '@app/core/paging/page';
import { ACL_COLUMNS } from './acl.columns';
import type { Grant, GrantOrder } from './acl.types';

/** A page of the grants on an organisation and of those to it. */
export const grantPage = (organisationId: number, request: ListRequest<GrantOrder>): Query<Grant> =>
  new ListQuery(ACL_COLUMNS, request)
    .withEither(['a.organisation_id', 'a.grantee_id'], organisationId)
    .filteredBy('lower(grantee.name)')
    .page();

/** Shared locks: an organisation that is being deleted meanwhile is waited for, and then is not there. */
export const BOTH_ORGANISATIONS = `SELECT id, name FROM organisations
  WHERE id IN ($1, $2) AND deleted_at IS NULL ORDER BY id FOR SHARE`;

/** A move that takes the giver's reach away counts anew what lies beneath the giver: it and the grant wait for each other. */
export const LOCK_GIVER = 'SELECT FROM organisations WHERE id = $1 FOR SHARE';

export const IS_BENEATH = `SELECT FROM organisation_closure WHERE ancestor_id = $1 AND descendant_id = $2`;

/** Gives the existing row's id as well: 16 requests at once get one grant, and the first giver counts. */
export const GRANT = `INSERT INTO acls (organisation_id, grantee_id, giver_organisation_id) VALUES ($1, $2, $3)
  ON CONFLICT ON CONSTRAINT acls_once DO UPDATE SET grantee_id = excluded.grantee_id RETURNING id`;
