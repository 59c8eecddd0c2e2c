import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { EntityManager } from 'typeorm';
import { Settings } from '@app/config/settings';
import { type IdempotentRequest, routeOf } from '@app/platform/context/request-state';
import { NAME_ACTOR } from '@app/platform/context/work-context';
import { byKey, DatabaseReads, prepared, preparedRows } from '@app/platform/database/pg-reads/database-reads';
import { Transactions } from '@app/platform/database/transactions';
import { lazily } from '@app/platform/process/lazily';
import { Caller } from '@app/security/access/caller';
import { RouteTable } from '@app/security/access/route-table';
import { type AccessState, accessState } from '@app/security/context/access-state';
import { digestOf } from '@app/security/secrets/digest';
import { SecretsKeyring } from '@app/security/secrets/encryption';
import {
  KeyInUse,
  KeyReused,
  malformedKey,
  MAX_KEY_LENGTH,
  REPLAYED,
  storedResponseContext,
} from './idempotency.types';
import { RequestTransaction } from './request-transaction';

const VISIBLE_ASCII = new RegExp(`^[\\x21-\\x7e]{1,${MAX_KEY_LENGTH}}$`);

const FIND = byKey<{ encrypted: string }>(`
  SELECT encrypted FROM stored_responses WHERE digest = $1 AND created_at > now() - interval '24 hours'`);

/** The first request with the key holds the lock until its transaction ends. */
const NAME_ACTOR_AND_LOCK = `${NAME_ACTOR}, pg_try_advisory_xact_lock($2) AS "isFree"`;

/** The sign of a 64-bit number. */
const SIGN = -(1n << 63n);

/** Shared, so that several requests can check the lock at once. */
const LOOK_AT_LOCK = { text: 'SELECT pg_try_advisory_xact_lock_shared($1) AS "isFree"' };

/**
 * Replaces an expired response that the clean-up has not deleted yet. Returns no row if another request has
 * stored its response since this one looked for it.
 */
const KEEP = prepared<{ isKept: boolean }>(`
  INSERT INTO stored_responses (digest, user_id, service_key_id, organisation_id, encrypted) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (digest) DO UPDATE SET encrypted = excluded.encrypted, created_at = now()
    WHERE stored_responses.created_at <= now() - interval '24 hours'
  RETURNING true AS "isKept"`);

/** A stored response with the request that it belongs to. */
interface Kept {
  readonly variant: string;
  /** SHA-256 of the body as hex. It is encrypted too, because a body may hold passwords. */
  readonly request: string;
  readonly status: number;
  readonly location: string | undefined;
  /** Undefined if the response has no body. */
  readonly content: string | undefined;
}

/** Ends the request: its response is stored already. */
class Replay extends Error {
  override readonly name = 'Replay';

  constructor(readonly kept: Kept) {
    super('The response was kept');
  }
}

/** The rules of `Idempotency-Key`: a change and its stored response commit in one transaction. */
@Injectable()
export class IdempotencyStore {
  constructor(
    readonly queries: DatabaseReads,
    readonly transactions: Transactions,
    readonly keyring: SecretsKeyring,
    readonly settings: Settings,
    readonly routes: RouteTable,
  ) {}

  requestWithKey(key: string, response: Response): IdempotentRequest {
    return new KeyedRequest(this, key, response);
  }
}

/** A request with `Idempotency-Key`. */
class KeyedRequest implements IdempotentRequest {
  private readonly state: AccessState;
  private transaction: RequestTransaction | undefined;

  constructor(
    private readonly store: IdempotencyStore,
    private readonly key: string,
    private readonly response: Response,
  ) {
    this.state = accessState(response);
  }

  async start(): Promise<void> {
    if (!VISIBLE_ASCII.test(this.key)) throw malformedKey();
    const { context } = this.state;
    const use = { begin: (manager: EntityManager) => this.begin(manager) };
    this.transaction = new RequestTransaction((work) =>
      this.store.transactions.runAlone(context, work, use, 1),
    );
    context.transaction = this.transaction;
    await this.replay();
  }

  private async begin(manager: EntityManager): Promise<void> {
    const values = [JSON.stringify(this.state.context.actor), this.lock];
    const [row] = await manager.query<{ isFree: boolean }[]>(NAME_ACTOR_AND_LOCK, values);
    if (row?.isFree !== true) throw new KeyInUse();
  }

  async save(content: unknown): Promise<void> {
    const { transaction } = this;
    if (transaction === undefined) return;
    if (content !== undefined && typeof content !== 'string') throw new Error('Only text can be kept');
    await transaction.commit((manager) => this.keep(manager, content));
  }

  private async keep(manager: EntityManager, content: string | undefined): Promise<void> {
    const { context, pathIds } = this.state;
    const { userId, credential } = context;
    const kept = await preparedRows(manager, KEEP, [
      this.digest(),
      userId,
      userId === null ? credential?.id : null,
      pathIds?.['organisationId'] ?? null,
      this.encrypted(content),
    ]);
    if (kept.length > 0) return;
    await this.replay();
    // The other response was deleted meanwhile: the next try does the work.
    throw new KeyInUse();
  }

  async fail(error: unknown, status: number): Promise<unknown> {
    try {
      await this.settle(error, status);
      return error;
    } catch (left) {
      if (!(left instanceof Replay)) return left;
      this.send(left.kept);
      return undefined;
    }
  }

  /**
   * Ends the transaction of a failed request. A refusal commits the work before it, such as the use of a
   * code. An internal error rolls back, because it is unknown whether the change was made.
   */
  private async settle(error: unknown, status: number): Promise<void> {
    const { transaction } = this;
    try {
      if (error instanceof Replay) throw error;
      if (status >= 500) return;
      if (transaction === undefined) {
        if (this.isOfDeletedRecord) await this.replay();
      } else if (!(error instanceof KeyInUse || error instanceof KeyReused)) {
        await this.lookAgain(transaction);
        await transaction.commit();
      }
    } finally {
      await transaction?.rollBack();
    }
  }

  /**
   * A rotation may delete the old key, which the path addresses. A client that lost the
   * response still needs the new key.
   */
  private get isOfDeletedRecord(): boolean {
    const { lacksRecordAlone, match } = this.state;
    if (lacksRecordAlone !== true || match === undefined) return false;
    return this.store.routes.of(match.route.handler).isRepeatable;
  }

  /**
   * Throws {@link Replay} if a response is stored, and {@link KeyReused} if it belongs to another request.
   */
  private async replay(): Promise<void> {
    this.replayStored(await this.store.queries.row(FIND, [this.digest()]));
  }

  /**
   * Looks for the response again after a failure, which the first request may have caused, for
   * example by a new password.
   */
  private async lookAgain({ hasBegun }: RequestTransaction): Promise<void> {
    // A request that has had the lock is the first one with the key, or comes after the end of the first one.
    if (!hasBegun) {
      const row = await this.store.queries.row<{ isFree: boolean }>(LOOK_AT_LOCK, [this.lock]);
      if (row?.isFree === false) throw new KeyInUse();
    }
    await this.replay();
  }

  private replayStored(found: { readonly encrypted: string } | undefined): void {
    if (found === undefined) return;
    const { keyring, settings } = this.store;
    const kept = JSON.parse(keyring.decrypt(found.encrypted, storedResponseContext(this.digest()))) as Kept;
    if (kept.variant !== settings.variant || kept.request !== this.request) throw new KeyReused();
    throw new Replay(kept);
  }

  private encrypted(content: string | undefined): string {
    const { keyring, settings } = this.store;
    const kept: Kept = {
      variant: settings.variant,
      request: this.request,
      status: this.response.statusCode,
      location: this.response.getHeader('Location')?.toString(),
      content,
    };
    return keyring.encrypt(JSON.stringify(kept), storedResponseContext(this.digest()));
  }

  private send({ status, location, content }: Kept): void {
    const { response } = this;
    response.status(status).setHeader(REPLAYED, 'true');
    if (location !== undefined) response.setHeader('Location', location);
    if (content === undefined) {
      response.end();
      return;
    }
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', Buffer.byteLength(content));
    response.end(content);
  }

  private readonly digest = lazily((): Buffer => {
    const { context } = this.state;
    const { method } = this.response.req;
    const request = [context.holder, method, this.path, this.key];
    // A login by a link may do less than the user's other logins (rule idempotency 15).
    if (context instanceof Caller && context.impersonator === 'link') request.push('by a link');
    return digestOf(JSON.stringify(request));
  });

  /** The path in the spelling of the route, because the router ignores case and a trailing slash. */
  private get path(): string {
    const { req: request } = this.response;
    const pattern = routeOf(request, this.response) ?? request.path;
    return pattern.replaceAll(/:(\w+)/g, (_, name: string) => String(request.params[name]));
  }

  /** SHA-256 of the request body, as hex. */
  private get request(): string {
    return (this.state.bodyDigest ?? digestOf('')).toString('hex');
  }

  /**
   * Negative, because the locks of events are positive (`take_event_place`): otherwise a caller could choose
   * a key with an event's lock.
   */
  private get lock(): string {
    return (this.digest().readBigInt64BE() | SIGN).toString();
  }
}
