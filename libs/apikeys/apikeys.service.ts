import { Injectable } from '@nestjs/common';
import { assertCredentialStands } from '@app/access/held-credential';
import type { Caller } from '@app/core/access/caller';
import { Transactions } from '@app/core/database/transactions';
import { NotFound } from '@app/core/errors/api-error';
import { Paginator } from '@app/core/paging/paginator';
import type { ListRequest, Page } from '@app/core/paging/page';
import { digestOf, newSecret } from '@app/core/secrets/digest';
import { Settings } from '@app/core/settings/settings';
import { NotificationRecorder } from '@app/notifications/notification-recorder';
import { ApiKey } from './api-key.entity';
import { apiKeyPage } from './api-key.queries';
import type { ApiKeyInput, ApiKeyItem, ApiKeyOrder, CreatedApiKey } from './api-key.types';

/** The rules of API keys. That a key is not used beyond its rights is seen to where credentials are looked up. */
@Injectable()
export class ApiKeysService {
  constructor(
    private readonly paginator: Paginator,
    private readonly transactions: Transactions,
    private readonly notifications: NotificationRecorder,
    private readonly settings: Settings,
  ) {}

  list(userId: number, request: ListRequest<ApiKeyOrder>): Promise<Page<ApiKeyItem>> {
    return this.paginator.page(request, apiKeyPage(userId, request));
  }

  /** A key for the caller itself; its value is in this answer and nowhere else. */
  async create(caller: Caller, { name, whitelist }: ApiKeyInput): Promise<CreatedApiKey> {
    const hash = newSecret();
    const id = await this.transactions.run(async (manager) => {
      await assertCredentialStands(manager, caller.credential);
      const [row] = await manager.query<{ id: number }[]>(
        `INSERT INTO api_keys (user_id, name, digest, whitelist, expires_at)
         VALUES ($1, $2, $3, $4, now() + make_interval(secs => $5)) RETURNING id`,
        [caller.userId, name, digestOf(hash), whitelist, this.settings.apiKeyTtl],
      );
      const created = (row as { id: number }).id;
      await this.notifications.record(manager, {
        organisationId: caller.organisationId,
        group: 'System',
        type: 'new',
        entityClass: 'ApiKey',
        entityId: created,
        entityName: name,
        userId: caller.userId,
        aboutUserId: caller.userId,
      });
      return created;
    });
    return { id, name, whitelist, hash };
  }

  /** Value and expiry stay as they are. */
  async update(id: number, { name, whitelist }: ApiKeyInput): Promise<void> {
    const { affected } = await this.transactions.run((manager) =>
      manager.update(ApiKey, { id }, { name, whitelist: [...whitelist] }),
    );
    if (affected === 0) throw new NotFound('API key');
  }

  /** Holds for the next request on every node: nothing remembers a key. */
  async delete(id: number): Promise<void> {
    const { affected } = await this.transactions.run((manager) => manager.delete(ApiKey, { id }));
    if (affected === 0) throw new NotFound('API key');
  }
}
