import { columnsOf, jsonObject, type OrderOf, type RowOf, shown } from '@app/platform/lists/columns';
import { ListQuery } from '@app/platform/lists/list-query';
import { Acl } from '../acl.entity';
import type { ListRequest } from '@app/platform/lists/paginator';
import { type Caller, isAdmin } from '@app/security/access/access.decorators';
import { type ConstraintErrors, limitReached } from '@app/platform/errors/api-error';

/** The reader of grants: the values of $1 and $2 of the columns. */
export const readerValues = (reader: Caller): [number, boolean] => [reader.organisationId, isAdmin(reader)];

/** The grantee's name, for a reader who may read the grantee; else empty. */
const NAME = `CASE WHEN $2::boolean OR grantee.id = $1
    OR EXISTS (SELECT FROM organisation_closure WHERE ancestor_id = $1 AND descendant_id = grantee.id)
    OR EXISTS (SELECT FROM acls WHERE grantee_id = $1 AND organisation_id = grantee.id)
  THEN grantee.name ELSE '' END`;

/** The organisation that a grant is given to; its name is empty where the reader may not read it. */
interface Grantee {
  readonly id: number;
  readonly name: string;
}

export const ACL_COLUMNS = columnsOf(Acl, 'a', {
  ordered: ['id', 'organisationId'],
  sql: {
    grantee: shown<Grantee>(jsonObject<Grantee>({ id: 'grantee.id', name: NAME })),
  },
  joins: 'JOIN organisations grantee ON grantee.id = a.grantee_id',
});

export type Grant = RowOf<typeof ACL_COLUMNS>;

export type GrantOrder = OrderOf<typeof ACL_COLUMNS>;

/** The grant with the id $3. */
export const GRANT_BY_ID = ACL_COLUMNS.select('a.id = $3');

/** A page of the grants that the organisation gave or received. */
export const grantPage = (reader: Caller, organisationId: number, request: ListRequest<GrantOrder>) =>
  new ListQuery(ACL_COLUMNS, request, readerValues(reader))
    .withEither(['a.organisation_id', 'a.grantee_id'], organisationId)
    .filteredBy(`lower(${NAME})`)
    .page();

/** The shared locks wait for a concurrent deletion, which then leaves no row. */
export const BOTH_ORGANISATIONS = `SELECT id FROM organisations
  WHERE id IN ($1, $2) AND deleted_at IS NULL ORDER BY id FOR SHARE`;

/** A move out of the giver's reach updates the giver's row: the lock serialises the move and the grant. */
export const LOCK_GIVER = 'SELECT FROM organisations WHERE id = $1 FOR SHARE';

export const IS_BENEATH = `SELECT FROM organisation_closure WHERE ancestor_id = $1 AND descendant_id = $2`;

/** Returns the id of an existing row too: 16 concurrent requests get one grant, with the first giver. */
export const GRANT = `INSERT INTO acls (organisation_id, grantee_id, giver_organisation_id) VALUES ($1, $2, $3)
  ON CONFLICT ON CONSTRAINT acls_once DO UPDATE SET grantee_id = excluded.grantee_id RETURNING id`;

export interface NewGrant {
  readonly granteeId: number;
}

export const ACL_CONSTRAINT_ERRORS: ConstraintErrors = {
  acls_limit_of_organisation: limitReached('An organisation gives at most 200 grants.'),
  acls_not_to_itself: {
    field: 'organisation',
    reason: 'ITSELF',
    message: 'An organisation cannot grant access to itself.',
  },
  acls_grantee_exists: {
    field: 'organisation',
    reason: 'DOES_NOT_EXIST',
    message: 'This organisation does not exist.',
  },
  acls_organisation_exists: { reason: 'BAD_REQUEST', message: 'The organisation does not exist any more.' },
};
