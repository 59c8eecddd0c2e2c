import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Settings } from '@app/config/settings';
import { NotificationRecorder } from '@app/people/notifications/notification-recorder';
import { StepUp } from '@app/people/users/step-up';
import { DatabaseReads, prepared } from '@app/platform/database/pg-reads/database-reads';
import { Transactions } from '@app/platform/database/transactions';
import { assertNameFits } from '@app/platform/dto/text-rules';
import { assertFound, found, NotFound } from '@app/platform/errors/api-error';
import { type ListRequest, type Page, Paginator } from '@app/platform/lists/paginator';
import type { Caller } from '@app/security/access/caller';
import { isWider, type Power } from '@app/security/access/wider-powers';
import type { RequestContext } from '@app/security/context/request-context';
import type { Proven } from '@app/security/passwords/step-up-proof';
import { alreadyRotated, type KeyRotation } from '@app/sign-in/keys/key.types';
import { insertKey, retireKey, ROTATED, type Rotated } from '@app/sign-in/keys/key-rows';
import {
  API_KEY_BY_ID,
  type ApiKeyDetails,
  type ApiKeyItem,
  type ApiKeyOrder,
  apiKeyPage,
  type CreatedApiKey,
} from './api-key.columns';
import { ApiKey } from './api-key.entity';
import type { ApiKeyInput, NewApiKey } from './api-key.types';
import { API_KEY_NOTIFICATIONS } from './apikeys.notifications';

const STORED = prepared<StoredKey>(`
  SELECT name, whitelist, read_only AS "readOnly", ${ROTATED}
  FROM api_keys WHERE id = $1`);

/** The lock ensures that only the first of parallel rotations succeeds. */
const LOCK = `${STORED.text} FOR UPDATE`;

/** A key to change. */
type StoredKey = Omit<NewApiKey, 'expiresAt'> & Rotated;

/** A key of the caller that the user is told of. */
interface AnnouncedKey {
  readonly id: number;
  readonly name: string;
  readonly event: 'new' | 'rotated' | 'changed';
}

/** The rules of API keys. The lookup of credentials enforces their rights. */
@Injectable()
export class ApiKeysService {
  constructor(
    private readonly queries: DatabaseReads,
    private readonly paginator: Paginator,
    private readonly transactions: Transactions,
    private readonly notifications: NotificationRecorder,
    private readonly settings: Settings,
    private readonly stepUp: StepUp,
  ) {}

  list(userId: number, request: ListRequest<ApiKeyOrder>): Promise<Page<ApiKeyItem>> {
    return this.paginator.page(request, apiKeyPage(userId, request));
  }

  async read(userId: number, id: number): Promise<ApiKeyDetails> {
    return found(await this.queries.row<ApiKeyDetails>(API_KEY_BY_ID, [userId, id]), 'API key');
  }

  /** Makes a key for the caller. Only this response contains its value. */
  async create(caller: Caller, { proof, ...key }: NewApiKey & Proven): Promise<CreatedApiKey> {
    await this.stepUp.confirm(caller, proof);
    return this.transactions.run(caller, (manager) => this.add(manager, caller, { key, event: 'new' }));
  }

  /**
   * Replaces a key by a new one with the same settings, once for each key. Both are
   * valid until the old one ends.
   */
  async rotate(
    caller: Caller,
    id: number,
    { oldKeyHours, expiresAt, proof }: KeyRotation & Proven,
  ): Promise<CreatedApiKey> {
    await this.stepUp.confirm(caller, proof);
    return this.transactions.run(caller, async (manager) => {
      const [old] = await manager.query<StoredKey[]>(LOCK, [id]);
      if (old === undefined) throw new NotFound('API key');
      if (old.isRotated) throw alreadyRotated();
      await retireKey(manager, 'api_keys', { id, hours: oldKeyHours }, ApiKey);
      const { name, whitelist, readOnly, lifetime } = old;
      const key = { name, whitelist, readOnly, ...(expiresAt !== undefined && { expiresAt }) };
      return this.add(manager, caller, { key, event: 'rotated', lifetime });
    });
  }

  /**
   * The value, the end and whether it only reads do not change. A key that may be used from more addresses
   * than before is announced, and asks for the proof, as a new one.
   */
  async update(caller: Caller, id: number, { name, whitelist, proof }: ApiKeyInput & Proven): Promise<void> {
    const mayMore = (before: StoredKey): boolean => isWider(powerOf(before), powerOf({ whitelist }));
    await this.stepUp.confirmIf(caller, proof, async () => {
      const before = await this.queries.row(STORED, [id]);
      return before !== undefined && mayMore(before);
    });
    await this.transactions.run(caller, async (manager) => {
      const [before] = await manager.query<StoredKey[]>(LOCK, [id]);
      if (before === undefined) throw new NotFound('API key');
      await assertNameFits(name, () => Promise.resolve(before.name));
      await manager.update(ApiKey, { id }, { name, whitelist: [...whitelist] });
      if (mayMore(before)) await this.announce(manager, caller, { id, name, event: 'changed' });
    });
  }

  /** Takes effect with the next request on every node, because keys are not cached. */
  async delete(ctx: RequestContext, id: number): Promise<void> {
    await this.transactions.run(ctx, (manager) => assertFound(manager.delete(ApiKey, { id }), 'API key'));
  }

  /** Inserts a key and notifies its user. Without a requested end the key lives `lifetime` seconds. */
  private async add(
    manager: EntityManager,
    caller: Caller,
    { key, event, lifetime }: { key: NewApiKey; event: 'new' | 'rotated'; lifetime?: number },
  ): Promise<CreatedApiKey> {
    const { name, whitelist, readOnly, expiresAt } = key;
    const columns = { user_id: caller.self, name, whitelist, read_only: readOnly };
    const end = { expiresAt, lifetime, longest: this.settings.apiKeyTtl };
    const { id, hash } = await insertKey(manager, 'api_keys', columns, end);
    await this.announce(manager, caller, { id, name, event });
    return { id, name, whitelist, hash };
  }

  private async announce(
    manager: EntityManager,
    caller: Caller,
    { id, name, event }: AnnouncedKey,
  ): Promise<void> {
    await this.notifications.record(manager, API_KEY_NOTIFICATIONS[event], {
      organisationId: caller.organisationId,
      entity: { id, name },
      userId: caller.userId,
      aboutUserId: caller.self,
    });
  }
}

/** What PUT can change of what a key may. The operations of a key are those of its user. */
const powerOf = ({ whitelist }: Pick<ApiKeyInput, 'whitelist'>): Power => ({
  words: new Set(),
  beneath: false,
  whitelist,
});
