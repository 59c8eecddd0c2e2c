import { types } from 'node:util';
import {
  QueryFailedError,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
} from 'typeorm';
import { ApiError, BadRequest, TemporarilyUnavailable, ValidationFailed } from './api-error';
import type { ConstraintErrors } from './constraint-errors';
import { fault } from './fault';

/** The parts of a pg error that answers are made from. */
interface DatabaseError {
  readonly code?: string;
  readonly constraint?: string;
  readonly column?: string;
  readonly message?: string;
}

const CONNECTION_ERRNOS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'ENOENT',
]);

/** Messages of pg and pg-pool that carry no code: the pool gave up waiting, or the server went away. */
const UNAVAILABLE_MESSAGES =
  /timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Cannot use a pool after calling end/;

/**
 * SQLSTATE classes and codes that mean "not now": the same request may succeed in a moment. 55000 is the answer of
 * a database that is closed to connections for maintenance, 25P03 that of a server that was frozen in a transaction.
 */
const UNAVAILABLE_STATES = /^(08...|57P0.|53...|55000|55P03|57014|25006|25P03|40001|40P01)$/;

/** A prepared statement is not there, or there already: the connection is another one from transaction to transaction. */
const POOLER_STATES: ReadonlySet<string> = new Set(['26000', '42P05']);

/** Messages of who never sent the statement, because the connection was known to be broken. */
const NOT_SENT = /Client has encountered a connection error|Client was closed and is not queryable/;

const driverErrorOf = (error: unknown): DatabaseError | undefined => {
  if (error instanceof QueryFailedError) return error.driverError as DatabaseError;
  // Not by `instanceof`: an error of Node's own may come from another realm than this code runs in.
  return types.isNativeError(error) ? error : undefined;
};

/** The SQLSTATE of a failed query, or undefined for any other error. */
function sqlState(error: unknown): string | undefined {
  const code = driverErrorOf(error)?.code;
  // EPIPE, which a broken socket gives, looks like a state.
  if (code === undefined || CONNECTION_ERRNOS.has(code)) return undefined;
  return /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** Serialisation failures and deadlocks: PostgreSQL asks for the transaction to be tried again. */
export const isRetryable = (error: unknown): boolean => ['40001', '40P01'].includes(sqlState(error) ?? '');

/** Whether a pooler in transaction mode stands before PostgreSQL, and nobody told the service. */
export const isPoolerUntold = (error: unknown): boolean => POOLER_STATES.has(sqlState(error) ?? '');

/** Whether it is certain that PostgreSQL did not do what failed: it said so, or was never asked. */
export function isKnownNotDone(error: unknown): boolean {
  if (error instanceof QueryRunnerAlreadyReleasedError) return true;
  if (NOT_SENT.test(driverErrorOf(error)?.message ?? '')) return true;
  const state = sqlState(error);
  return state !== undefined && !state.startsWith('08');
}

/**
 * The one table from database errors to answers: 22* and 23* are the request's error (400, with the field
 * where the constraint is declared), what PostgreSQL calls temporary is 503, and undefined is an error of ours.
 */
export function apiErrorOfDatabaseError(
  error: unknown,
  constraintErrors: ConstraintErrors = {},
): ApiError | undefined {
  const driverError = driverErrorOf(error);
  if (driverError === undefined) return undefined;
  const state = sqlState(error);
  if (state === undefined) {
    const unavailable =
      CONNECTION_ERRNOS.has(driverError.code ?? '') ||
      UNAVAILABLE_MESSAGES.test(driverError.message ?? '') ||
      // TypeORM gives a connection back as soon as it breaks, also in the middle of a transaction.
      error instanceof QueryRunnerAlreadyReleasedError ||
      error instanceof QueryRunnerProviderAlreadyReleasedError;
    return unavailable ? new TemporarilyUnavailable() : undefined;
  }
  if (UNAVAILABLE_STATES.test(state) || POOLER_STATES.has(state)) return new TemporarilyUnavailable();
  if (!/^2[23]/.test(state)) return undefined;
  const declared = constraintErrors[driverError.constraint ?? ''];
  if (declared === undefined)
    return new BadRequest('A value is out of range or conflicts with what is stored');
  return declared.field === undefined
    ? new BadRequest(declared.message, declared.reason)
    : ValidationFailed.on(declared.field, fault(declared.reason, declared.message));
}
