import { types } from 'node:util';
import {
  QueryFailedError,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
} from 'typeorm';
import {
  ApiError,
  BadRequest,
  type ConstraintErrors,
  fieldError,
  TemporarilyUnavailable,
  Unauthorised,
  ValidationFailed,
} from './api-error';
import { isDriverMessage } from './driver-messages';
import { OtherServerFailed } from './other-server-failed';

/** The parts of a pg error that determine the response. */
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

/**
 * Temporary SQLSTATE classes and codes: the request may soon succeed. 55000 comes from a database that is
 * closed for maintenance, 25P03 from a server that was frozen in a transaction.
 */
const UNAVAILABLE_STATES = /^(08...|57P0.|53...|55000|55P03|57014|25006|25P03|40001|40P01)$/;

/** Temporary SQLSTATEs of a server that stops, starts, is away or accepts no writes. */
const OUTAGE_STATES = /^(08...|57P0.|25006)$/;

const IDS_USED_UP = '2200H';

/** A prepared statement is missing or exists already, because each transaction runs on another connection. */
const POOLER_STATES: ReadonlySet<string> = new Set(['26000', '42P05']);

const driverErrorOf = (error: unknown): DatabaseError | undefined => {
  if (error instanceof QueryFailedError) return error.driverError as DatabaseError;
  // Without `instanceof`, because Node's own errors may come from another realm.
  return types.isNativeError(error) ? error : undefined;
};

/** The SQLSTATE of a failed query; undefined for any other error. */
function sqlState(error: unknown): string | undefined {
  const code = driverErrorOf(error)?.code;
  // EPIPE, from a broken socket, looks like a SQLSTATE.
  if (code === undefined || CONNECTION_ERRNOS.has(code)) return undefined;
  return /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** Serialisation failures and deadlocks, after which PostgreSQL expects a retry of the transaction. */
export const isRetryable = (error: unknown): boolean => ['40001', '40P01'].includes(sqlState(error) ?? '');

/** Whether a pooler that works by transaction, without being configured, is in front of PostgreSQL. */
export const isPoolerMisconfigured = (error: unknown): boolean => POOLER_STATES.has(sqlState(error) ?? '');

/** Whether PostgreSQL certainly did not execute the failed statement: it said so, or never received it. */
export function isKnownNotDone(error: unknown): boolean {
  if (error instanceof QueryRunnerAlreadyReleasedError) return true;
  if (isDriverMessage(driverErrorOf(error)?.message ?? '', 'notSent')) return true;
  const state = sqlState(error);
  return state !== undefined && !state.startsWith('08');
}

/** Whether the database is away, according to an error or its cause. */
export function isOutage(error: unknown): boolean {
  if (error instanceof OtherServerFailed) return false;
  const state = sqlState(error);
  if (state === undefined ? apiErrorOfDatabaseError(error) !== undefined : OUTAGE_STATES.test(state))
    return true;
  return types.isNativeError(error) && error.cause !== undefined && isOutage(error.cause);
}

/**
 * Maps database errors to responses: 22* and 23* are errors of the request (400, with the field of a declared
 * constraint), temporary errors are 503. Undefined for internal errors.
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
      isDriverMessage(driverError.message ?? '', 'noConnectionInTime', 'lost') ||
      // TypeORM releases a broken connection at once, even in a transaction.
      error instanceof QueryRunnerAlreadyReleasedError ||
      error instanceof QueryRunnerProviderAlreadyReleasedError;
    return unavailable ? new TemporarilyUnavailable() : undefined;
  }
  if (UNAVAILABLE_STATES.test(state) || POOLER_STATES.has(state)) return new TemporarilyUnavailable();
  // No client can help that a sequence has given out its last id.
  if (!/^2[23]/.test(state) || state === IDS_USED_UP) return undefined;
  const declared = constraintErrors[driverError.constraint ?? ''];
  if (declared === undefined)
    return new BadRequest('A value is out of range or conflicts with what is stored');
  if (declared.reason === 'UNAUTHORISED') return new Unauthorised(declared.message);
  return declared.field === undefined
    ? new BadRequest(declared.message, declared.reason)
    : ValidationFailed.on(declared.field, fieldError(declared.reason, declared.message));
}
