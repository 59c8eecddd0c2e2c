import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { assertCredentialStands } from '@app/access/held-credential';
import type { Caller } from '@app/core/access/caller';
import { insertReturningId } from '@app/core/database/insert-returning-id';
import { PreparedQueries } from '@app/core/database/prepared-queries';
import { Transactions } from '@app/core/database/transactions';
import { NotFound } from '@app/core/errors/api-error';
import { Paginator } from '@app/core/paging/paginator';
import type { ListRequest, Page } from '@app/core/paging/page';
import { NotificationRecorder } from '@app/notifications/notification-recorder';
import { keyColumns } from './key-columns';
import { defaultDescription } from './public-key';
import { SshKey } from './ssh-key.entity';
import { SSH_KEY_BY_ID, sshKeyPage } from './ssh-key.queries';
import type { KeyOwner, SshKeyDetails, SshKeyInput, SshKeyOrder } from './ssh-key.types';

/** The rules of SSH keys of users and of deploy keys of organisations. */
@Injectable()
export class SshKeysService {
  constructor(
    private readonly queries: PreparedQueries,
    private readonly paginator: Paginator,
    private readonly transactions: Transactions,
    private readonly notifications: NotificationRecorder,
  ) {}

  list(owner: KeyOwner, request: ListRequest<SshKeyOrder>): Promise<Page<SshKeyDetails>> {
    return this.paginator.page(request, sshKeyPage(owner, request));
  }

  async read(id: number): Promise<SshKeyDetails> {
    const key = await this.queries.quickRow<SshKeyDetails>(SSH_KEY_BY_ID, [id]);
    if (key === undefined) throw new NotFound('SSH key');
    return key;
  }

  async create(caller: Caller, owner: KeyOwner, input: SshKeyInput): Promise<SshKeyDetails> {
    const description = input.description ?? defaultDescription(input.key);
    const id = await this.transactions.run(async (manager) => {
      await lockOwner(manager, owner);
      await assertCredentialStands(manager, caller.credential);
      const created = await insertReturningId(manager, SshKey, {
        ...keyColumns(input.key),
        description,
        ...(owner.userId === undefined ? { organisationId: owner.organisationId } : { userId: owner.userId }),
      });
      await this.notifications.record(manager, {
        organisationId: owner.organisationId,
        group: 'System',
        type: 'new',
        entityClass: 'SshKey',
        entityId: created,
        entityName: description,
        userId: caller.userId,
        ...(owner.userId !== undefined && { aboutUserId: owner.userId }),
      });
      return created;
    });
    return this.read(id);
  }

  async update(caller: Caller, id: number, { key, description }: SshKeyInput): Promise<void> {
    const { affected } = await this.transactions.run(async (manager) => {
      await assertCredentialStands(manager, caller.credential);
      return manager.update(SshKey, { id }, { ...keyColumns(key), description });
    });
    if (affected === 0) throw new NotFound('SSH key');
  }

  /** The key is free again, for whoever holds it. */
  async delete(id: number): Promise<void> {
    const { affected } = await this.transactions.run((manager) => manager.delete(SshKey, { id }));
    if (affected === 0) throw new NotFound('SSH key');
  }
}

/**
 * Makes a deletion of the owner wait, or finds that it happened: a key that came in behind it would be taken
 * for good, since nobody could delete it any more.
 */
async function lockOwner(manager: EntityManager, { organisationId, userId }: KeyOwner): Promise<void> {
  const table = userId === undefined ? 'organisations' : 'users';
  const rows = await manager.query<unknown[]>(
    `SELECT 1 FROM ${table} WHERE id = $1 AND deleted_at IS NULL FOR SHARE`,
    [userId ?? organisationId],
  );
  if (rows.length === 0) throw new NotFound(userId === undefined ? 'Organisation' : 'User');
}
