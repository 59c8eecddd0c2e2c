import { columnsOf, jsonObject } from '@app/core/paging/column-table';
import type { Grant } from './acl.types';

/** A grant with the organisation that it is given to. */
export const ACL_COLUMNS = columnsOf<Grant>(
  'acls a',
  'JOIN organisations grantee ON grantee.id = a.grantee_id',
)({
  id: { read: 'a.id', order: true },
  organisationId: { read: 'a.organisation_id', order: true },
  grantee: {
    read: jsonObject<Grant['grantee']>({ id: 'grantee.id', name: 'grantee.name' }),
    order: false,
  },
});
