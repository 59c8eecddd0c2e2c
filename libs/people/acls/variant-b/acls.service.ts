import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type Caller, isAdmin } from '@app/security/access/access.decorators';
import { OPERATOR_ORGANISATION } from '@app/security/access/roles';
import { Transactions } from '@app/platform/database/transactions';
import { AccessDenied, fault, NotFound, ValidationFailed } from '@app/platform/errors/api-error';
import { type ListRequest, type Page, Paginator } from '@app/platform/lists/paginator';
import type { RequestContext } from '@app/platform/context/request-context';
import { Acl } from '../acl.entity';
import {
  BOTH_ORGANISATIONS,
  type Grant,
  GRANT,
  GRANT_BY_ID,
  type GrantOrder,
  grantPage,
  IS_BENEATH,
  LOCK_GIVER,
  type NewGrant,
  readerValues,
} from './acl.queries';

/**
 * A grant lets the users of another organisation read this one. The grantee may be out of the caller's reach: grants
 * are for organisations without other links.
 */
@Injectable()
export class AclsService {
  constructor(
    private readonly paginator: Paginator,
    private readonly transactions: Transactions,
  ) {}

  /** Grants that the organisation gave or received. */
  list(caller: Caller, organisationId: number, request: ListRequest<GrantOrder>): Promise<Page<Grant>> {
    return this.paginator.page(request, grantPage(caller, organisationId, request));
  }

  /** A repeated grant returns the existing one (decisions.md section 8). */
  grant(caller: Caller, organisationId: number, { granteeId }: NewGrant): Promise<Grant> {
    const giverId = giverAbove(caller, organisationId);
    return this.transactions.run(caller, async (manager) => {
      const found = await manager.query<{ id: number }[]>(BOTH_ORGANISATIONS, [organisationId, granteeId]);
      if (!found.some(({ id }) => id === organisationId)) throw new NotFound('Organisation');
      if (!found.some(({ id }) => id === granteeId))
        throw ValidationFailed.on(
          'organisation',
          fault('DOES_NOT_EXIST', 'This organisation does not exist.'),
        );
      if (giverId !== null) await assertStillAbove(manager, giverId, organisationId);
      const [row] = await manager.query<{ id: number }[]>(GRANT, [organisationId, granteeId, giverId]);
      const [made] = await manager.query<Grant[]>(GRANT_BY_ID.text, [
        ...readerValues(caller),
        (row as { id: number }).id,
      ]);
      return made as Grant;
    });
  }

  /** Takes effect at the grantee's next request, on every node: nothing caches grants. */
  async revoke(ctx: RequestContext, organisationId: number, granteeId: number): Promise<void> {
    await this.transactions.run(ctx, async (manager) => {
      const { affected } = await manager.delete(Acl, { organisationId, granteeId });
      if (affected === 0) throw new NotFound('Grant');
    });
  }
}

/** The grant ends when this organisation loses reach. Grants of the operator and of admins never end that way. */
function giverAbove(caller: Caller, organisationId: number): number | null {
  const isOwn = caller.organisationId === organisationId;
  return isAdmin(caller) || isOwn || caller.organisationId === OPERATOR_ORGANISATION
    ? null
    : caller.organisationId;
}

/** A move between the guard's check and the new row would leave a grant without an end. */
async function assertStillAbove(
  manager: EntityManager,
  giverId: number,
  organisationId: number,
): Promise<void> {
  await manager.query(LOCK_GIVER, [giverId]);
  const rows = await manager.query<object[]>(IS_BENEATH, [giverId, organisationId]);
  if (rows.length === 0) throw new AccessDenied();
}
