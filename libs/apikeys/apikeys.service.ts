import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { assertCredentialStands } from '@app/access/held-credential';
import type { Caller } from '@app/core/access/caller';
import { PreparedQueries } from '@app/core/database/prepared-queries';
import { Transactions } from '@app/core/database/transactions';
import { NotFound, ValidationFailed } from '@app/core/errors/api-error';
import { fault } from '@app/core/errors/fault';
import { Paginator } from '@app/core/paging/paginator';
import type { ListRequest, Page } from '@app/core/paging/page';
import { digestOf, newSecret } from '@app/core/secrets/digest';
import { Settings } from '@app/core/settings/settings';
import { NotificationRecorder } from '@app/notifications/notification-recorder';
import { ApiKey } from './api-key.entity';
import { API_KEY_BY_ID, apiKeyPage } from './api-key.queries';
import type {
  ApiKeyDetails,
  ApiKeyInput,
  ApiKeyItem,
  ApiKeyOrder,
  ApiKeyRotation,
  CreatedApiKey,
  NewApiKey,
} from './api-key.types';
import { AlreadyRotated } from './apikeys.errors';

/** Whether the asked end is one to have, the clock of the database tells; without one it is $7 seconds from now. */
const INSERT = `
  INSERT INTO api_keys (user_id, name, digest, whitelist, read_only, expires_at)
  SELECT $1, $2, $3, $4, $5, ends.at
  FROM (SELECT coalesce(to_timestamp($6), now() + make_interval(secs => $7)) AS at) ends
  WHERE ends.at > now() AND ends.at <= now() + make_interval(secs => $8) RETURNING id`;

const IS_OVER = `SELECT to_timestamp($1) <= now() AS "isOver"`;

/** Locked, so that of several rotations of one key the first alone finds it as it was. */
const LOCK = `
  SELECT name, whitelist, read_only AS "readOnly", rotated_at IS NOT NULL AS "isRotated",
    extract(epoch FROM expires_at - created_at)::float8 AS lifetime
  FROM api_keys WHERE id = $1 FOR UPDATE`;

const RETIRE = `
  UPDATE api_keys SET rotated_at = now(), expires_at = least(expires_at, now() + make_interval(hours => $2))
  WHERE id = $1`;

/** A key that gives its place to another. */
interface OldKey extends Omit<NewApiKey, 'expiresAt'> {
  readonly isRotated: boolean;
  /** Seconds that it was made for. */
  readonly lifetime: number;
}

/** The rules of API keys. That a key is not used beyond its rights is seen to where credentials are looked up. */
@Injectable()
export class ApiKeysService {
  constructor(
    private readonly queries: PreparedQueries,
    private readonly paginator: Paginator,
    private readonly transactions: Transactions,
    private readonly notifications: NotificationRecorder,
    private readonly settings: Settings,
  ) {}

  list(userId: number, request: ListRequest<ApiKeyOrder>): Promise<Page<ApiKeyItem>> {
    return this.paginator.page(request, apiKeyPage(userId, request));
  }

  async read(userId: number, id: number): Promise<ApiKeyDetails> {
    const key = await this.queries.row<ApiKeyDetails>(API_KEY_BY_ID, [userId, id]);
    if (key === undefined) throw new NotFound('API key');
    return key;
  }

  /** A key for the caller itself; its value is in this answer and nowhere else. */
  create(caller: Caller, key: NewApiKey): Promise<CreatedApiKey> {
    return this.transactions.run(async (manager) => {
      await assertCredentialStands(manager, caller.credential);
      return this.add(manager, caller, { key, event: 'new' });
    });
  }

  /** A key like another in its place, once; until the other ends, both are good. */
  rotate(caller: Caller, id: number, { oldKeyHours, expiresAt }: ApiKeyRotation): Promise<CreatedApiKey> {
    return this.transactions.run(async (manager) => {
      await assertCredentialStands(manager, caller.credential);
      const [old] = await manager.query<OldKey[]>(LOCK, [id]);
      if (old === undefined) throw new NotFound('API key');
      if (old.isRotated) throw new AlreadyRotated();
      // At once means gone, so that it takes no place among the user's keys.
      if (oldKeyHours === 0) await manager.delete(ApiKey, { id });
      else await manager.query(RETIRE, [id, oldKeyHours]);
      const { name, whitelist, readOnly, lifetime } = old;
      const key = { name, whitelist, readOnly, ...(expiresAt !== undefined && { expiresAt }) };
      return this.add(manager, caller, { key, event: 'rotated', lifetime });
    });
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

  /** Writes a key and tells of it. `lifetime` is how many seconds it has where no end is asked for. */
  private async add(
    manager: EntityManager,
    caller: Caller,
    { key, event, lifetime }: { key: NewApiKey; event: 'new' | 'rotated'; lifetime?: number },
  ): Promise<CreatedApiKey> {
    const { name, whitelist, readOnly, expiresAt } = key;
    const { apiKeyTtl } = this.settings;
    const hash = newSecret();
    const [row] = await manager.query<{ id: number }[]>(INSERT, [
      caller.userId,
      name,
      digestOf(hash),
      whitelist,
      readOnly,
      expiresAt ?? null,
      Math.min(lifetime ?? apiKeyTtl, apiKeyTtl),
      apiKeyTtl,
    ]);
    if (row === undefined) throw await this.wrongEnd(manager, expiresAt);
    await this.notifications.record(manager, {
      organisationId: caller.organisationId,
      group: 'System',
      type: event,
      entityClass: 'ApiKey',
      entityId: row.id,
      entityName: name,
      userId: caller.userId,
      aboutUserId: caller.userId,
    });
    return { id: row.id, name, whitelist, hash };
  }

  private async wrongEnd(manager: EntityManager, expiresAt: number | undefined): Promise<ValidationFailed> {
    const [end] = await manager.query<{ isOver: boolean }[]>(IS_OVER, [expiresAt ?? null]);
    return ValidationFailed.on(
      'expires',
      end?.isOver === true
        ? fault('TOO_SMALL', 'This value should be in the future.')
        : fault('TOO_LARGE', `This value should be at most ${this.settings.apiKeyTtl} seconds from now.`),
    );
  }
}
