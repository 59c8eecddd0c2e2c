/** The timeouts of a connection in milliseconds; 0 for none. */
export interface DatabaseLimits {
  /** `statement_timeout`. */
  readonly statement: number;
  /** `lock_timeout`: shorter than `statement`, so that the error names the lock. */
  readonly lock: number;
  /** `idle_in_transaction_session_timeout`. */
  readonly idleInTransaction: number;
  /**
   * Closes a connection if a statement has no whole answer after this time. Longer than `statement`,
   * which a slow server observes; a frozen or unreachable server observes no limit.
   */
  readonly socketTimeout: number;
}

/** Milliseconds for a connection, including the wait in the pool. */
export const CONNECT_TIMEOUT = 2500;

/**
 * Milliseconds until a request has its answer even if the database is frozen. See `Transactions` for COMMIT.
 */
export const ANSWER_TIME = 7500;

/** `socketTimeout` plus the wait for a connection is {@link ANSWER_TIME}. */
export const REQUEST_LIMITS: DatabaseLimits = {
  statement: 4500,
  lock: 3500,
  idleInTransaction: 20_000,
  socketTimeout: 5000,
};

/** For taking jobs and recording their outcome. The work of a job has the limits of requests. */
export const JOB_LIMITS: DatabaseLimits = { ...REQUEST_LIMITS, lock: 0 };

/** For statements that no person waits for: csv, clean-ups, the command line. */
export const LONG_LIMITS: DatabaseLimits = { ...REQUEST_LIMITS, statement: 15_000, socketTimeout: 16_000 };

/** A migration may take long; its heartbeat (`migrate`) notices a silent server. */
export const MIGRATION_LIMITS: DatabaseLimits = {
  ...REQUEST_LIMITS,
  statement: 0,
  lock: 0,
  idleInTransaction: 0,
};

/** Settings that change answers. Behind a pooler in transaction mode the role must have them. */
export const SAME_ANSWERS: Readonly<Record<string, string>> = {
  DateStyle: 'ISO',
  TimeZone: 'UTC',
  standard_conforming_strings: 'on',
  default_transaction_isolation: 'read committed',
  default_transaction_read_only: 'off',
  IntervalStyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
  array_nulls: 'on',
  transform_null_equals: 'off',
  quote_all_identifiers: 'off',
  // A soft limit would cut searches.
  gin_fuzzy_search_limit: '0',
  idle_session_timeout: '0',
};

/** The settings of every session. */
export function sessionSettings(limits: DatabaseLimits): Readonly<Record<string, string | number>> {
  return {
    statement_timeout: limits.statement,
    lock_timeout: limits.lock,
    idle_in_transaction_session_timeout: limits.idleInTransaction,
    // PostgreSQL compiles a statement anew each time. That takes some hundred
    // milliseconds, more than it saves here.
    jit: 'off',
    ...SAME_ANSWERS,
  };
}
