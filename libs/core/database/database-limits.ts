/** What PostgreSQL, and this side where PostgreSQL is silent, let a connection do; in milliseconds, 0 for no limit. */
export interface DatabaseLimits {
  /** `statement_timeout`. */
  readonly statement: number;
  /** `lock_timeout`: below that of statements, so that the answer names the lock. */
  readonly lock: number;
  /** `idle_in_transaction_session_timeout`. */
  readonly idleInTransaction: number;
  /**
   * For how long a statement may be without any byte of an answer before its connection is closed here. Longer than
   * `statement`, which a server keeps that is slow; one that is frozen or out of reach keeps nothing.
   */
  readonly silence: number;
}

/** Milliseconds for a connection: for a place in the pool and for the server to take it, together. */
export const CONNECT_TIMEOUT = 2500;

/** Milliseconds within which a request is answered also where its database is frozen. See `Transactions` for COMMIT. */
export const ANSWER_TIME = 7500;

/** Milliseconds that statements of a request may take; with the wait for a connection within {@link ANSWER_TIME}. */
const STATEMENT_TIMEOUT = 4500;
const SILENCE_TIMEOUT = 5000;
const LOCK_TIMEOUT = 3500;
/** Milliseconds after which a transaction is ended that holds locks and asks for nothing. */
const IDLE_IN_TRANSACTION_TIMEOUT = 20_000;

/** Milliseconds for statements that nobody waits for at a browser: csv, clean-ups, the command line. */
export const LONG_STATEMENT_TIMEOUT = 15_000;
export const LONG_SILENCE_TIMEOUT = 16_000;

export const REQUEST_LIMITS: DatabaseLimits = {
  statement: STATEMENT_TIMEOUT,
  lock: LOCK_TIMEOUT,
  idleInTransaction: IDLE_IN_TRANSACTION_TIMEOUT,
  silence: SILENCE_TIMEOUT,
};

/** For taking jobs and writing down what became of them; what a job itself does has the limits of requests. */
export const JOB_LIMITS: DatabaseLimits = { ...REQUEST_LIMITS, lock: 0 };

export const LONG_LIMITS: DatabaseLimits = {
  ...REQUEST_LIMITS,
  statement: LONG_STATEMENT_TIMEOUT,
  silence: LONG_SILENCE_TIMEOUT,
};

/** A migration may rightly take long; see `migrate` for how it notices a server that falls silent meanwhile. */
export const MIGRATION_LIMITS: DatabaseLimits = {
  ...REQUEST_LIMITS,
  statement: 0,
  lock: 0,
  idleInTransaction: 0,
};

/** The same as settings of a session, and what every session of the service wants beside them. */
export function sessionSettings(limits: DatabaseLimits): Readonly<Record<string, string | number>> {
  return {
    statement_timeout: limits.statement,
    lock_timeout: limits.lock,
    idle_in_transaction_session_timeout: limits.idleInTransaction,
    // Compiling a statement takes PostgreSQL some hundred milliseconds, each time anew: more than it can save here.
    jit: 'off',
  };
}
