import { Injectable } from '@nestjs/common';
import { assertCredentialValid } from '@app/security/access/credential-lookup';
import type { Caller } from '@app/security/access/access.decorators';
import { insertReturningId, Transactions } from '@app/platform/database/transactions';
import { assertNameFits } from '@app/platform/dto/text-rules';
import { DatabaseReads } from '@app/platform/database/pg-reads/database-reads';
import { assertFound, found } from '@app/platform/errors/api-error';
import { type ListRequest, type Page, Paginator } from '@app/platform/lists/paginator';
import { NotificationRecorder } from '@app/people/notifications/notification-recorder';
import type { RequestContext } from '@app/platform/context/request-context';
import { lockOwner } from '@app/people/users/user-rows';
import {
  keyColumns,
  SSH_KEY_BY_ID,
  type SshKeyDetails,
  type SshKeyOrder,
  sshKeyPage,
} from './ssh-key.columns';
import { defaultDescription } from './public-key';
import { SshKey } from './ssh-key.entity';
import type { RecordOwner } from '@app/people/users/path-owner.decorator';
import type { SshKeyInput } from './ssh-key.types';

/** SSH keys of users and deploy keys of organisations. */
@Injectable()
export class SshKeysService {
  constructor(
    private readonly queries: DatabaseReads,
    private readonly paginator: Paginator,
    private readonly transactions: Transactions,
    private readonly notifications: NotificationRecorder,
  ) {}

  list(owner: RecordOwner, request: ListRequest<SshKeyOrder>): Promise<Page<SshKeyDetails>> {
    return this.paginator.page(request, sshKeyPage(owner, request));
  }

  /** @param ctx the context of a request that has changed the key */
  async read(id: number, ctx?: RequestContext): Promise<SshKeyDetails> {
    return found(await this.queries.pipelinedRow<SshKeyDetails>(SSH_KEY_BY_ID, [id], ctx), 'SSH key');
  }

  async create(caller: Caller, owner: RecordOwner, input: SshKeyInput): Promise<SshKeyDetails> {
    const description = input.description ?? defaultDescription(input.key);
    const id = await this.transactions.run(caller, async (manager) => {
      await lockOwner(manager, owner);
      await assertCredentialValid(manager, caller.credential);
      const created = await insertReturningId(manager, SshKey, {
        ...keyColumns(input.key),
        description,
        ...(owner.userId === null ? { organisationId: owner.organisationId } : { userId: owner.userId }),
      });
      await this.notifications.record(manager, {
        organisationId: owner.organisationId,
        type: 'new',
        entity: { class: 'SshKey', id: created, name: description },
        userId: caller.userId,
        aboutUserId: owner.userId,
      });
      return created;
    });
    return this.read(id, caller);
  }

  async update(caller: Caller, id: number, { key, description }: SshKeyInput): Promise<void> {
    await this.transactions.run(caller, async (manager) => {
      await assertCredentialValid(manager, caller.credential);
      const stored = async () => (await manager.findOneBy(SshKey, { id }))?.description;
      await assertNameFits(description, stored, 'description');
      await assertFound(manager.update(SshKey, { id }, { ...keyColumns(key), description }), 'SSH key');
    });
  }

  /** Frees the key for other owners. */
  async delete(ctx: RequestContext, id: number): Promise<void> {
    await this.transactions.run(ctx, (manager) => assertFound(manager.delete(SshKey, { id }), 'SSH key'));
  }
}
