import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { isAdmin, type Caller } from '@app/core/access/caller';
import { OPERATOR_ORGANISATION } from '@app/core/access/role-grants';
import { Transactions } from '@app/core/database/transactions';
import { AccessDenied, NotFound, ValidationFailed } from '@app/core/errors/api-error';
import { fault } from '@app/core/errors/fault';
import type { ListRequest, Page } from '@app/core/paging/page';
import { Paginator } from '@app/core/paging/paginator';
import { Acl } from '../acl.entity';
import { BOTH_ORGANISATIONS, GRANT, grantPage, IS_BENEATH, LOCK_GIVER } from './acl.queries';
import type { Grant, GrantOrder, NewGrant } from './acl.types';

/**
 * Grants: the users of another organisation may read this one. The grantee need not be in the caller's reach, since
 * the feature is for organisations that have nothing else to do with each other.
 */
@Injectable()
export class AclsService {
  constructor(
    private readonly paginator: Paginator,
    private readonly transactions: Transactions,
  ) {}

  /** Those on the organisation and those to it. */
  list(organisationId: number, request: ListRequest<GrantOrder>): Promise<Page<Grant>> {
    return this.paginator.page(request, grantPage(organisationId, request));
  }

  /** Granting what is granted already gives the existing grant (decisions.md section 8). */
  grant(caller: Caller, organisationId: number, { granteeId }: NewGrant): Promise<Grant> {
    const giverId = giverAbove(caller, organisationId);
    return this.transactions.run(async (manager) => {
      const found = await manager.query<{ id: number; name: string }[]>(BOTH_ORGANISATIONS, [
        organisationId,
        granteeId,
      ]);
      if (!found.some(({ id }) => id === organisationId)) throw new NotFound('Organisation');
      const grantee = found.find(({ id }) => id === granteeId);
      if (grantee === undefined)
        throw ValidationFailed.on(
          'organisation',
          fault('DOES_NOT_EXIST', 'This organisation does not exist.'),
        );
      if (giverId !== null) await assertStillAbove(manager, giverId, organisationId);
      const [row] = await manager.query<{ id: number }[]>(GRANT, [organisationId, granteeId, giverId]);
      return { id: (row as { id: number }).id, organisationId, grantee };
    });
  }

  /** There is no cache between this and the grantee's next request, on any node. */
  async revoke(organisationId: number, granteeId: number): Promise<void> {
    await this.transactions.run(async (manager) => {
      const { affected } = await manager.delete(Acl, { organisationId, granteeId });
      if (affected === 0) throw new NotFound('Grant');
    });
  }
}

/** The organisation without whose reach the grant ends; the operator's ends never, nor that of an admin. */
function giverAbove(caller: Caller, organisationId: number): number | null {
  const isOwn = caller.organisationId === organisationId;
  return isAdmin(caller) || isOwn || caller.organisationId === OPERATOR_ORGANISATION
    ? null
    : caller.organisationId;
}

/** A move between the guard's look at the reach and the new row would leave a grant that nothing ends. */
async function assertStillAbove(
  manager: EntityManager,
  giverId: number,
  organisationId: number,
): Promise<void> {
  await manager.query(LOCK_GIVER, [giverId]);
  const rows = await manager.query<object[]>(IS_BENEATH, [giverId, organisationId]);
  if (rows.length === 0) throw new AccessDenied();
}
