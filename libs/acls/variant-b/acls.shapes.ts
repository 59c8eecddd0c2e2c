import { responseShape } from '@app/core/wire/shapes';
import { SingleAclResponse, toAclResponse } from './acl.response';
import type { Grant } from './acl.types';
import { createAclShape } from './create-acl.dto';

/** The request and response shapes of grants. */
export class AclsShapes {
  /** Body of `POST …/acls`. */
  readonly create = createAclShape;
  /** Response of `POST …/acls`. */
  readonly single = responseShape(SingleAclResponse, (grant: Grant) => ({ acl: toAclResponse(grant) }));
}
