import { columnsOf, jsonObject, type OrderOf, type RowOf, shown } from '@app/platform/lists/columns';
import { ListQuery } from '@app/platform/lists/list-query';
import type { ListRequest } from '@app/platform/lists/paginator';
import type { Caller } from '@app/security/access/caller';
import { isInForce } from '@app/security/access/used-grant';
import { Acl } from '../acl.entity';
import type { GrantParty } from '../grant.types';
import { nameOf, readerValues } from '../grant-parties';

const NAME = nameOf('a.grantee_id');

/** The name of the grantee is empty if the reader may not read the grantee. */
export const ACL_COLUMNS = columnsOf(Acl, 'a', {
  ordered: ['id', 'organisationId'],
  sql: { grantee: shown<GrantParty>(jsonObject<GrantParty>({ id: 'a.grantee_id', name: NAME })) },
});

export type Grant = RowOf<typeof ACL_COLUMNS>;

export type AclOrder = OrderOf<typeof ACL_COLUMNS>;

/** The grant with the id $7. */
export const ACL_BY_ID = ACL_COLUMNS.select('a.id = $7');

/** A page of the grants that the organisation gave or received. */
export const aclPage = (reader: Caller, organisationId: number, request: ListRequest<AclOrder>) =>
  new ListQuery(ACL_COLUMNS, request, readerValues(reader))
    .withEither(['a.organisation_id', 'a.grantee_id'], organisationId)
    .where(isInForce('a'))
    .filteredBy(`fold_case(${NAME})`)
    .page();

/** Also returns the id of an existing row: 16 requests at once create one grant, with the first grantor. */
export const GRANT = `INSERT INTO acls (organisation_id, grantee_id, made_by_organisation) VALUES ($1, $2, $3)
  ON CONFLICT ON CONSTRAINT acls_once DO UPDATE SET grantee_id = excluded.grantee_id RETURNING id, xmax = 0 AS "isNew"`;

export interface NewAcl {
  readonly granteeId: number;
}
