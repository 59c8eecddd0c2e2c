import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { Counter } from 'prom-client';
import { networkOf } from '@app/formats/ip-address';
import { DatabaseReads, prepared } from '@app/platform/database/pg-reads/database-reads';
import { APP_LOGGER } from '@app/platform/observability/logger';
import { Metrics } from '@app/platform/observability/metrics';

/** A refused credential, a denial or a lock-out, with what is known about its sender. */
export interface Refusal {
  readonly reason: string;
  /** Canonical IP address. */
  readonly address: string;
  /** The user whose credential the request carried. */
  readonly userId?: number | undefined;
  /** The kind of that credential. */
  readonly credentialKind?: string | undefined;
  /** The support login that the request carried. */
  readonly supportLoginId?: number | undefined;
  /** The service key that the request carried. */
  readonly serviceKey?: { readonly id: number; readonly organisationId: number } | undefined;
  /** The attempted user name, for a request without a credential. Only its keyed digest is stored. */
  readonly name?: { readonly text: string; readonly digest: string } | undefined;
  /** Digest of an invalid credential. */
  readonly credentialDigest?: Buffer | undefined;
}

const REFUSING: ReadonlySet<number> = new Set([401, 403, 429]);

/**
 * Whether a response refuses a credential, denies access or locks out. The 404 of an unknown name counts too,
 * because it is a guess. A 401 without any credential does not count.
 */
export function isRefusal(status: number, refusal: Refusal): boolean {
  const { reason, userId, serviceKey, name, credentialDigest } = refusal;
  const isStranger = userId === undefined && serviceKey === undefined;
  if (reason === 'ROLE_REQUIRED') return true;
  if (status === 404) return reason === 'NOT_FOUND' && isStranger && name !== undefined;
  if (reason === 'UNAUTHORISED') return name !== undefined || credentialDigest !== undefined;
  return REFUSING.has(status);
}

/**
 * Maximum rows of refusals that a process writes into the audit log in a minute. A metric counts the others.
 */
const MAX_ROWS = 200;

/** Maximum rows per network; further refusals are merged into one row per reason. */
const MAX_ROWS_OF_NETWORK = 20;

/** The maximum length of a user name. */
const MAX_NAME_LENGTH = 254;

/** Refusals of one minute with the same reason, network and subject. */
interface CountedRefusal {
  readonly reason: string;
  readonly network: string;
  readonly user_id: number | null;
  /** Id of a service key or support login; null for other credentials. */
  readonly credential_id: number | null;
  readonly organisation_id: number | null;
  readonly kind: string | null;
  /** For a look-up in the database. Never stored. */
  readonly name: string | null;
  readonly name_digest: string | null;
  /** Hexadecimal, for a look-up in the database. Never stored. */
  readonly credential_digest: string | null;
  readonly since: Date;
  until: Date;
  count: number;
}

/** Counts refusals in a limited number of rows until they are written. */
export class RefusalBatch {
  private readonly rows = new Map<string, CountedRefusal>();
  private readonly rowsOfNetwork = new Map<string, number>();

  get size(): number {
    return this.rows.size;
  }

  get counted(): CountedRefusal[] {
    return [...this.rows.values()];
  }

  /** False if the batch is full. */
  add(refusal: Refusal, now: Date): boolean {
    const network = networkOf(refusal.address);
    const isCrowded = (this.rowsOfNetwork.get(network) ?? 0) >= MAX_ROWS_OF_NETWORK;
    const whole = rowOf(refusal, network, now);
    if (this.count(whole, now)) return true;
    const row = isCrowded ? rowOf({ reason: refusal.reason, address: refusal.address }, network, now) : whole;
    if (isCrowded && this.count(row, now)) return true;
    if (this.rows.size >= MAX_ROWS) return false;
    this.rows.set(keyOf(row), row);
    this.rowsOfNetwork.set(network, (this.rowsOfNetwork.get(network) ?? 0) + 1);
    return true;
  }

  private count(row: CountedRefusal, now: Date): boolean {
    const known = this.rows.get(keyOf(row));
    if (known === undefined) return false;
    known.count += 1;
    known.until = now;
    return true;
  }
}

const keyOf = (row: CountedRefusal): string =>
  JSON.stringify([
    row.reason,
    row.network,
    row.user_id,
    row.credential_id,
    row.kind,
    row.name_digest,
    row.credential_digest,
  ]);

function rowOf(refusal: Refusal, network: string, now: Date): CountedRefusal {
  const { reason, userId, serviceKey, supportLoginId, credentialKind, name, credentialDigest } = refusal;
  const isStranger = userId === undefined && serviceKey === undefined;
  const text = name?.text ?? '';
  // PostgreSQL cannot store other text, so no user has this name.
  const isName = text.length <= MAX_NAME_LENGTH && !text.includes('\0') && text.isWellFormed();
  return {
    reason,
    network,
    user_id: userId ?? null,
    credential_id: serviceKey?.id ?? supportLoginId ?? null,
    organisation_id: serviceKey?.organisationId ?? null,
    kind: credentialKind ?? null,
    name: isStranger && name !== undefined && isName ? text : null,
    name_digest: (isStranger ? name?.digest : undefined) ?? null,
    credential_digest: credentialDigest?.toString('hex') ?? null,
    since: now,
    until: now,
    count: 1,
  };
}

/** Milliseconds between writes. */
const BATCH_TIME = 60_000;

const WRITE = prepared<{ readonly lost: number }>('SELECT audit_refusals_of_day($1::jsonb)::integer AS lost');

/**
 * Writes refused credentials, denials and lock-outs into the audit log in the background. Equal refusals of a
 * minute share a row with their count, and the database limits the rows of a day. So an attacker causes
 * neither a write for each request nor more rows than a batch holds. Metrics count dropped refusals.
 */
@Injectable()
export class Refusals implements BeforeApplicationShutdown {
  private batch = new RefusalBatch();
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();
  private readonly dropped: Counter;

  constructor(
    private readonly queries: DatabaseReads,
    metrics: Metrics,
    @Inject(APP_LOGGER) private readonly logger: Logger,
  ) {
    this.dropped = new Counter({
      name: 'audit_refusals_dropped_total',
      help: 'Refused requests that the audit log does not tell of: too many at once, or it could not be written',
      registers: [metrics.registry],
    });
  }

  note(refusal: Refusal): void {
    if (!this.batch.add(refusal, new Date())) this.dropped.inc(1);
    this.timer ??= setTimeout(() => void this.write(), BATCH_TIME).unref();
  }

  /** Writes the batch, after earlier batches. */
  write(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { batch } = this;
    this.batch = new RefusalBatch();
    if (batch.size > 0) this.writing = this.writing.then(() => this.store(batch));
    return this.writing;
  }

  /** Writes the rest before the database connections end. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.write();
  }

  private async store(batch: RefusalBatch): Promise<void> {
    try {
      const row = await this.queries.row(WRITE, [JSON.stringify(batch.counted)]);
      this.dropped.inc(row?.lost ?? 0);
    } catch (error) {
      const lost = batch.counted.reduce((sum, { count }) => sum + count, 0);
      this.dropped.inc(lost);
      this.logger.warn({ err: error, lost }, 'refusals could not be written into the audit log');
    }
  }
}
