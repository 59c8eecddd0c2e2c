import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { NotificationRecorder } from '@app/people/notifications/notification-recorder';
import type { RecordOwner } from '@app/people/users/path-owner.decorator';
import { lockOwner } from '@app/people/users/user-rows';
import { DatabaseReads, rowIn } from '@app/platform/database/pg-reads/database-reads';
import { insertReturningId, Transactions } from '@app/platform/database/transactions';
import { assertNameFits } from '@app/platform/dto/text-rules';
import { assertFound, found } from '@app/platform/errors/api-error';
import { type ListRequest, type Page, Paginator } from '@app/platform/lists/paginator';
import type { Caller } from '@app/security/access/caller';
import type { RequestContext } from '@app/security/context/request-context';
import { defaultDescription } from './public-key';
import {
  keyColumns,
  SSH_KEY_BY_ID,
  type SshKeyDetails,
  type SshKeyOrder,
  sshKeyPage,
} from './ssh-key.columns';
import { SshKey } from './ssh-key.entity';
import type { SshKeyInput } from './ssh-key.types';
import { SSH_KEY_NOTIFICATIONS } from './sshkeys.notifications';

/** A key that its owner is told of. */
interface AnnouncedKey extends RecordOwner {
  readonly id: number;
  readonly description: string;
  readonly event: 'new' | 'changed';
}

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

  async read(id: number): Promise<SshKeyDetails> {
    return found(await this.queries.row<SshKeyDetails>(SSH_KEY_BY_ID, [id]), 'SSH key');
  }

  async create(caller: Caller, owner: RecordOwner, input: SshKeyInput): Promise<SshKeyDetails> {
    const description = input.description ?? defaultDescription(input.key);
    return this.transactions.run(caller, async (manager) => {
      await lockOwner(manager, owner);
      const created = await insertReturningId(manager, SshKey, {
        ...keyColumns(input.key),
        description,
        ...(owner.userId === null ? { organisationId: owner.organisationId } : { userId: owner.userId }),
      });
      await this.announce(manager, caller, { ...owner, id: created, description, event: 'new' });
      return found(await rowIn<SshKeyDetails>(manager, SSH_KEY_BY_ID, [created]), 'SSH key');
    });
  }

  /**
   * Another key in the place of one is announced as a new one. Its comment and its
   * description are no part of the key.
   */
  async update(
    caller: Caller,
    owner: RecordOwner,
    id: number,
    { key, description }: SshKeyInput,
  ): Promise<void> {
    await this.transactions.run(caller, async (manager) => {
      const before = await lockKey(manager, id);
      await assertNameFits(description, () => Promise.resolve(before.description), 'description');
      const columns = keyColumns(key);
      await manager.update(SshKey, { id }, { ...columns, description });
      if (columns.keyDigest.equals(before.keyDigest)) return;
      const name = description ?? before.description;
      await this.announce(manager, caller, { ...owner, id, description: name, event: 'changed' });
    });
  }

  /** Frees the key for other owners. */
  async delete(ctx: RequestContext, id: number): Promise<void> {
    await this.transactions.run(ctx, (manager) => assertFound(manager.delete(SshKey, { id }), 'SSH key'));
  }

  private async announce(
    manager: EntityManager,
    caller: Caller,
    { organisationId, userId, id, description, event }: AnnouncedKey,
  ): Promise<void> {
    await this.notifications.record(manager, SSH_KEY_NOTIFICATIONS[event], {
      organisationId,
      entity: { id, name: description },
      userId: caller.userId,
      aboutUserId: userId,
    });
  }
}

/** The lock lets the second of two concurrent changes see the key of the first. */
async function lockKey(manager: EntityManager, id: number): Promise<SshKey> {
  return found(
    await manager.findOne(SshKey, { where: { id }, lock: { mode: 'pessimistic_write' } }),
    'SSH key',
  );
}
