import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { assertCredentialStands } from '@app/security/access/credential-lookup';
import type { Caller } from '@app/security/access/access.decorators';
import { DatabaseReads } from '@app/platform/database/pg-reads/database-reads';
import { Transactions } from '@app/platform/database/transactions';
import { fault, NotFound, ValidationFailed } from '@app/platform/errors/api-error';
import { type ListRequest, type Page, Paginator } from '@app/platform/lists/paginator';
import { digestOf, newSecret } from '@app/security/secrets/digest';
import { Settings } from '@app/platform/process/settings';
import { NotificationRecorder } from '@app/notifications/notification-recorder';
import { StepUp } from '@app/users/step-up';
import type { RequestContext } from '@app/platform/context/request-context';
import { ApiKey } from './api-key.entity';
import { API_KEY_BY_ID, apiKeyPage } from './api-key.columns';
import {
  AlreadyRotated,
  type ApiKeyDetails,
  type ApiKeyInput,
  type ApiKeyItem,
  type ApiKeyOrder,
  type ApiKeyRotation,
  type CreatedApiKey,
  type NewApiKey,
  type Proven,
} from './api-key.types';

/** Checks the requested end by the clock of the database. Without one, the key ends $7 seconds from now. */
const INSERT = `
  INSERT INTO api_keys (user_id, name, digest, whitelist, read_only, expires_at)
  SELECT $1, $2, $3, $4, $5, ends.at
  FROM (SELECT coalesce(to_timestamp($6), now() + make_interval(secs => $7)) AS at) ends
  WHERE ends.at > now() AND ends.at <= now() + make_interval(secs => $8) RETURNING id`;

const IS_OVER = `SELECT to_timestamp($1) <= now() AS "isOver"`;

/** The lock lets only the first of parallel rotations find a key that is not rotated. */
const LOCK = `
  SELECT name, whitelist, read_only AS "readOnly", rotated_at IS NOT NULL AS "isRotated",
    extract(epoch FROM expires_at - created_at)::float8 AS lifetime
  FROM api_keys WHERE id = $1 FOR UPDATE`;

const RETIRE = `
  UPDATE api_keys SET rotated_at = now(), expires_at = least(expires_at, now() + make_interval(hours => $2))
  WHERE id = $1`;

/** A key to rotate. */
interface OldKey extends Omit<NewApiKey, 'expiresAt'> {
  readonly isRotated: boolean;
  /** Original lifetime in seconds. */
  readonly lifetime: number;
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
    const key = await this.queries.row<ApiKeyDetails>(API_KEY_BY_ID, [userId, id]);
    if (key === undefined) throw new NotFound('API key');
    return key;
  }

  /** Makes a key for the caller. Only this response has its value. */
  async create(caller: Caller, { proof, ...key }: NewApiKey & Proven): Promise<CreatedApiKey> {
    await this.stepUp.confirm(caller, proof);
    return this.transactions.run(caller, async (manager) => {
      await assertCredentialStands(manager, caller.credential);
      return this.add(manager, caller, { key, event: 'new' });
    });
  }

  /** Replaces a key by a new one like it, once. Until the old one ends, both are valid. */
  async rotate(
    caller: Caller,
    id: number,
    { oldKeyHours, expiresAt, proof }: ApiKeyRotation & Proven,
  ): Promise<CreatedApiKey> {
    await this.stepUp.confirm(caller, proof);
    return this.transactions.run(caller, async (manager) => {
      await assertCredentialStands(manager, caller.credential);
      const [old] = await manager.query<OldKey[]>(LOCK, [id]);
      if (old === undefined) throw new NotFound('API key');
      if (old.isRotated) throw new AlreadyRotated();
      // Deleted, so that it does not count as one of the user's keys.
      if (oldKeyHours === 0) await manager.delete(ApiKey, { id });
      else await manager.query(RETIRE, [id, oldKeyHours]);
      const { name, whitelist, readOnly, lifetime } = old;
      const key = { name, whitelist, readOnly, ...(expiresAt !== undefined && { expiresAt }) };
      return this.add(manager, caller, { key, event: 'rotated', lifetime });
    });
  }

  /** Value and end stay. */
  async update(ctx: RequestContext, id: number, { name, whitelist }: ApiKeyInput): Promise<void> {
    const { affected } = await this.transactions.run(ctx, (manager) =>
      manager.update(ApiKey, { id }, { name, whitelist: [...whitelist] }),
    );
    if (affected === 0) throw new NotFound('API key');
  }

  /** Takes effect with the next request on every node: keys are not cached. */
  async delete(ctx: RequestContext, id: number): Promise<void> {
    const { affected } = await this.transactions.run(ctx, (manager) => manager.delete(ApiKey, { id }));
    if (affected === 0) throw new NotFound('API key');
  }

  /** Inserts a key and notifies its user. Without a requested end, it lives `lifetime` seconds. */
  private async add(
    manager: EntityManager,
    caller: Caller,
    { key, event, lifetime }: { key: NewApiKey; event: 'new' | 'rotated'; lifetime?: number },
  ): Promise<CreatedApiKey> {
    const { name, whitelist, readOnly, expiresAt } = key;
    const { apiKeyTtl } = this.settings;
    const hash = newSecret();
    const [row] = await manager.query<{ id: number }[]>(INSERT, [
      caller.self,
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
      aboutUserId: caller.self,
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
