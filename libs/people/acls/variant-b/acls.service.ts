import { Injectable } from '@nestjs/common';
import { rowIn } from '@app/platform/database/pg-reads/database-reads';
import { Transactions } from '@app/platform/database/transactions';
import { assertFound, found } from '@app/platform/errors/api-error';
import { type ListRequest, type Page, Paginator } from '@app/platform/lists/paginator';
import type { Caller } from '@app/security/access/caller';
import type { RequestContext } from '@app/security/context/request-context';
import { Acl } from '../acl.entity';
import { GrantBounds } from '../grant-bounds';
import { GrantNotifications } from '../grant-notifications';
import { lockParties, readerValues } from '../grant-parties';
import { ACL_BY_ID, type AclOrder, aclPage, GRANT, type Grant, type NewAcl } from './acl.queries';

/**
 * A grant lets the users of another organisation read this one. The grantee may be out of the caller's reach,
 * because grants connect organisations without other links.
 */
@Injectable()
export class AclsService {
  constructor(
    private readonly paginator: Paginator,
    private readonly transactions: Transactions,
    private readonly bounds: GrantBounds,
    private readonly notifications: GrantNotifications,
  ) {}

  /** Grants that the organisation gave or received. */
  list(caller: Caller, organisationId: number, request: ListRequest<AclOrder>): Promise<Page<Grant>> {
    return this.paginator.page(request, aclPage(caller, organisationId, request));
  }

  /** If the grant exists already, with any rights, returns the existing one (rule grants 50). */
  async grant(caller: Caller, organisationId: number, { granteeId }: NewAcl): Promise<Grant> {
    return this.transactions.run(caller, async (manager) => {
      const maker = await lockParties(manager, caller, organisationId, granteeId);
      const [row] = await manager.query<{ id: number; isNew: boolean }[]>(GRANT, [
        organisationId,
        granteeId,
        maker,
      ]);
      const { id, isNew } = row as { id: number; isNew: boolean };
      if (isNew) {
        await this.bounds.count(manager, caller);
        const { userId: actorId } = caller;
        const notified = {
          grantId: id,
          organisationId,
          granteeId,
          isAgreed: false,
          expiresAt: null,
          actorId,
        };
        await this.notifications.ofReading(manager, notified);
      }
      return found(await rowIn(manager, ACL_BY_ID, [...readerValues(caller), id]), 'Grant');
    });
  }

  /** Takes effect at the grantee's next request, on every node: nothing caches grants. */
  async revoke(ctx: RequestContext, organisationId: number, granteeId: number): Promise<void> {
    await this.transactions.run(ctx, (manager) =>
      assertFound(manager.delete(Acl, { organisationId, granteeId }), 'Grant'),
    );
  }
}
