import { faultsIn, type Fault } from './fault';
import type { AnswerReason } from './reasons';

/** What is wrong with the fields of a request, by their wire names. */
export type FieldErrors = Readonly<Record<string, readonly Fault[]>>;

interface ApiErrorOptions {
  /** Answered under `errors.children`, the words beside them under `reasons`. */
  readonly fields?: FieldErrors;
  /** Additional response headers, such as `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What it comes from, for the log. */
  readonly cause?: unknown;
}

/**
 * An answer other than success that the service gives on purpose. `reason` is a stable upper-case word for
 * programs and metrics; `message` is for people, except where decisions.md fixes it literally.
 */
export class ApiError extends Error {
  readonly fields: FieldErrors | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly status: number,
    readonly reason: AnswerReason,
    message: string,
    options: ApiErrorOptions = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.fields = options.fields;
    this.headers = options.headers ?? {};
  }
}

/** 400: the request as a whole is refused, no single field is to blame. */
export class BadRequest extends ApiError {
  constructor(message: string, reason: AnswerReason = 'BAD_REQUEST') {
    super(400, reason, message);
  }
}

/** 400 with the errors of each failing field. */
export class ValidationFailed extends ApiError {
  constructor(fields: FieldErrors) {
    super(400, 'VALIDATION_FAILED', 'Validation Failed', { fields });
  }

  /** What is wrong with one field. */
  static on(field: string, found: Fault | readonly Fault[]): ValidationFailed {
    return new ValidationFailed({ [field]: faultsIn(found) });
  }
}

/** 401: no usable credential was presented, or the presented one does not count. */
export class Unauthorised extends ApiError {
  constructor(message = 'Authentication is required', reason: AnswerReason = 'UNAUTHORISED') {
    super(401, reason, message);
  }
}

/** 403: the caller has no access to what the request addresses. */
export class AccessDenied extends ApiError {
  constructor(message = 'Access denied', reason: AnswerReason = 'ACCESS_DENIED') {
    super(403, reason, message);
  }
}

/** 404: what the request addresses does not exist. */
export class NotFound extends ApiError {
  constructor(what: string) {
    super(404, 'NOT_FOUND', `${what} not found`);
  }
}

/**
 * 500 as the interface description asks for: the caller has access but lacks a role for the operation. An
 * answer, not an error: it is not logged as one and metrics count it apart.
 */
export class RoleRequired extends ApiError {
  constructor() {
    super(500, 'ROLE_REQUIRED', 'Insufficient role');
  }
}

/** 429: too many attempts; `retryAfter` in whole seconds. */
export class TooManyRequests extends ApiError {
  constructor(retryAfter: number, message = 'Too many attempts, try again later') {
    super(429, 'TOO_MANY_ATTEMPTS', message, { headers: { 'Retry-After': String(retryAfter) } });
  }
}

/** 503: the service can not answer right now, mostly for want of its database. */
export class TemporarilyUnavailable extends ApiError {
  constructor(retryAfter = 5) {
    super(503, 'UNAVAILABLE', 'Temporarily unavailable, try again later', {
      headers: { 'Retry-After': String(retryAfter) },
    });
  }
}

/** 503: the database was asked to commit and never said whether it has. Whoever tries again may do it twice. */
export class OutcomeUnknown extends ApiError {
  constructor(cause: unknown, retryAfter = 5) {
    super(
      503,
      'OUTCOME_UNKNOWN',
      'The database did not confirm the change: it may have been made, look before trying again',
      { headers: { 'Retry-After': String(retryAfter) }, cause },
    );
  }
}
