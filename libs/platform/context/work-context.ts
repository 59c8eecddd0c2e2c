import type { EntityManager } from 'typeorm';
import type { Client } from '../concurrency/fair-limiter';
import type { AddressedVersion } from './addressed-version';

/** Passes the actor of the transaction to the audit triggers; $1 is {@link WorkContext.actor} as JSON. */
export const NAME_ACTOR = `SELECT set_config('audit.actor', $1, true)`;

/** A transaction that is open while a request is served. */
export interface ContextTransaction {
  run<Result>(work: (manager: EntityManager) => Promise<Result>): Promise<Result>;
}

/**
 * What database, lists and responses ask of the work that uses them: a request, a job or a command.
 * `security/context/request-context` knows who does the work.
 */
export interface WorkContext {
  /** The client whose quotas the work uses; undefined for the service itself. */
  readonly client?: Client;
  /** Who calls, as text; undefined for a stranger. */
  readonly holder?: string;
  /** When a client began to wait, by `performance.now()`; undefined without a client. */
  readonly arrivedAt?: number;
  /** The actor for the audit triggers. JSON leaves out undefined values. */
  readonly actor: Readonly<Record<string, unknown>>;
  /** The state of the record that the request addresses, on routes with an entity tag. */
  version?: AddressedVersion;
  /** All work of the request uses this transaction. */
  transaction?: ContextTransaction;
}

/** The context of the service's own work. Without an id if the job is not in a queue. */
export const jobContext = (task: string, id?: string): WorkContext => ({
  actor: { kind: 'job', name: task, requestId: id },
});
