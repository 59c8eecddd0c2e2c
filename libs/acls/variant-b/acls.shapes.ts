import { orderBy } from '@app/core/wire/order-by';
import { listShape, responseShape } from '@app/core/wire/shapes';
import { ACL_COLUMNS } from './acl.columns';
import { AclListResponse, AclResponse, SingleAclResponse, toAclResponse } from './acl.response';
import type { Grant, GrantOrder } from './acl.types';
import { createAclShape } from './create-acl.dto';

/** The request and response shapes of grants. */
export class AclsShapes {
  /** Body of `POST …/acls`. */
  readonly create = createAclShape;
  /** Response of `POST …/acls`. */
  readonly single = responseShape(SingleAclResponse, (grant: Grant) => ({ acl: toAclResponse(grant) }));
  /** Response of the list. */
  readonly list = listShape<Grant, AclListResponse, GrantOrder>(
    AclListResponse,
    {
      // All grants have the same object and type.
      orderBy: orderBy(ACL_COLUMNS, AclResponse, { object: 'id', objectId: 'organisationId', type: 'id' }),
      search: {},
    },
    (page) => ({ acls: page.items.map(toAclResponse) }),
  );
}
