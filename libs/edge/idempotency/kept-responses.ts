import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { EntityManager } from 'typeorm';
import type { HeldTransaction } from '@app/platform/database/held-transaction';
import { DatabaseReads, prepared, preparedRows } from '@app/platform/database/pg-reads/database-reads';
import { Transactions } from '@app/platform/database/transactions';
import {
  requestState,
  type RequestState,
  type ResponseKeeper,
  routeOf,
} from '@app/platform/context/request-state';
import { Settings } from '@app/platform/process/settings';
import { SecretsKeyring } from '@app/security/secrets/encryption';
import { digestOf } from '@app/security/secrets/digest';
import { RouteTable } from '@app/security/access/route-table';
import {
  keptResponseContext,
  KeyInUse,
  KeyReused,
  malformedKey,
  MAX_KEY_LENGTH,
  REPLAYED,
} from './idempotency.types';

const VISIBLE_ASCII = new RegExp(`^[\\x21-\\x7e]{1,${MAX_KEY_LENGTH}}$`);

const FIND = prepared<{ sealed: string }>(`
  SELECT sealed FROM kept_responses WHERE digest = $1 AND created_at > now() - interval '24 hours'`);

/** Whoever holds the lock is the first request with the key. It ends with the transaction, however that ends. */
const TRY_LOCK = 'SELECT pg_try_advisory_xact_lock($1) AS "isFree"';

/** The sign of a 64-bit number. */
const SIGN = -(1n << 63n);

/** Several may look at once. */
const LOOK_AT_LOCK = { text: 'SELECT pg_try_advisory_xact_lock_shared($1) AS "isFree"' };

/** An expired response may still be there. */
const KEEP = `
  INSERT INTO kept_responses (digest, user_id, service_key_id, organisation_id, sealed) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (digest) DO UPDATE SET sealed = excluded.sealed, created_at = now()`;

/** A kept response with the request that it belongs to. */
interface Kept {
  readonly variant: string;
  /** SHA-256 of the body, as hex: a body may hold passwords, so that it is sealed too. */
  readonly request: string;
  readonly status: number;
  readonly location: string | undefined;
  /** Absent where the response has no body. */
  readonly content: string | undefined;
}

/** Ends a handler whose response is known already. */
class Replay extends Error {
  override readonly name = 'Replay';

  constructor(readonly kept: Kept) {
    super('The response was kept');
  }
}

/** The rules of `Idempotency-Key`: a response is kept in the transaction of its change, or neither is there. */
@Injectable()
export class KeptResponses {
  constructor(
    readonly queries: DatabaseReads,
    readonly transactions: Transactions,
    readonly keyring: SecretsKeyring,
    readonly settings: Settings,
    readonly routes: RouteTable,
  ) {}

  /** Keeps nothing before it is asked to admit the request. */
  keeperOf(key: string, response: Response): ResponseKeeper {
    return new Attempt(this, key, response);
  }
}

/** A request with a key. */
class Attempt implements ResponseKeeper {
  private readonly state: RequestState;
  private held: HeldTransaction | undefined;

  constructor(
    private readonly from: KeptResponses,
    private readonly key: string,
    private readonly response: Response,
  ) {
    this.state = requestState(response);
  }

  async admit(): Promise<void> {
    if (!VISIBLE_ASCII.test(this.key)) throw malformedKey();
    this.held = this.from.transactions.hold(this.state.context, (manager) => this.begin(manager));
    await this.replay();
  }

  async keep(content: unknown): Promise<void> {
    const { held } = this;
    if (held === undefined) return;
    if (content !== undefined && typeof content !== 'string') throw new Error('Only text can be kept');
    const { userId, credential } = this.state.context;
    await held.commit((manager) =>
      manager.query(KEEP, [
        this.digest,
        userId,
        userId === null ? credential?.id : null,
        this.state.pathIds?.['organisationId'] ?? null,
        this.sealed(content),
      ]),
    );
  }

  async refuse(error: unknown, status: number): Promise<unknown> {
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
   * Ends the transaction of a failed request. A refusal commits the work before it, such as the use of a code. A fault
   * rolls back: it is unknown whether the change was made.
   */
  private async settle(error: unknown, status: number): Promise<void> {
    if (error instanceof Replay) {
      await this.held?.rollBack();
      throw error;
    }
    if (this.held === undefined) {
      if (this.isOfGoneRecord) await this.replay();
    } else if (status >= 500) await this.held.rollBack();
    else if (this.held.isOpen) await this.held.commit();
    else if (!(error instanceof KeyInUse || error instanceof KeyReused)) await this.lookAgain();
  }

  /**
   * A rotation may delete the old key, which is the record of the path: a client that lost the response still needs the
   * new key.
   */
  private get isOfGoneRecord(): boolean {
    const { lacksRecordAlone, handler } = this.state;
    return lacksRecordAlone === true && handler !== undefined && this.from.routes.of(handler).isRepeatable;
  }

  /** Throws {@link Replay} if a response is kept, and {@link KeyReused} if it belongs to another request. */
  private async replay(): Promise<void> {
    this.judge(await this.from.queries.pipelinedRow(FIND, [this.digest]));
  }

  /** The first request may have refused this one by its change, such as that of the password which both prove. */
  private async lookAgain(): Promise<void> {
    const row = await this.from.queries.row<{ isFree: boolean }>(LOOK_AT_LOCK, [this.lock]);
    if (row?.isFree === false) throw new KeyInUse();
    await this.replay();
  }

  /** The second look is under the lock: the first request may have ended since. */
  private async begin(manager: EntityManager): Promise<void> {
    const [row] = await manager.query<{ isFree: boolean }[]>(TRY_LOCK, [this.lock]);
    if (row?.isFree !== true) throw new KeyInUse();
    const [found] = await preparedRows<{ sealed: string }>(manager, FIND, [this.digest]);
    this.judge(found);
  }

  private judge(found: { readonly sealed: string } | undefined): void {
    if (found === undefined) return;
    const { keyring, settings } = this.from;
    const kept = JSON.parse(keyring.decrypt(found.sealed, keptResponseContext(this.digest))) as Kept;
    if (kept.variant !== settings.variant || kept.request !== this.request) throw new KeyReused();
    throw new Replay(kept);
  }

  private sealed(content: string | undefined): string {
    const { keyring, settings } = this.from;
    const kept: Kept = {
      variant: settings.variant,
      request: this.request,
      status: this.response.statusCode,
      location: this.response.getHeader('Location')?.toString(),
      content,
    };
    return keyring.encrypt(JSON.stringify(kept), keptResponseContext(this.digest));
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

  private get digest(): Buffer {
    const { method } = this.response.req;
    return digestOf(JSON.stringify([this.state.context.holder, method, this.path, this.key]));
  }

  /** The path as the route writes it: the router ignores case and a slash at the end. */
  private get path(): string {
    const { req: request } = this.response;
    const pattern = routeOf(request, this.response) ?? request.path;
    return pattern.replaceAll(/:(\w+)/g, (_, name: string) => String(request.params[name]));
  }

  /** SHA-256 of the request body, as hex. */
  private get request(): string {
    return (this.state.bodyDigest ?? digestOf('')).toString('hex');
  }

  /** Below zero: the places of events are above (`take_event_place`), and a caller could choose a key with a low place. */
  private get lock(): string {
    return (this.digest.readBigInt64BE() | SIGN).toString();
  }
}
