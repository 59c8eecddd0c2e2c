import type { AnswerReason, FieldErrorReason } from './reasons';

/** One error of a field: a stable word for programs and a sentence for people. */
export interface FieldError {
  readonly reason: FieldErrorReason;
  readonly message: string;
}

/** The result of a check: undefined if the value is valid. */
export type CheckResult = FieldError | readonly FieldError[] | undefined;

export const fieldError = (reason: FieldErrorReason, message: string): FieldError => ({ reason, message });

export const errorsIn = (found: CheckResult): readonly FieldError[] =>
  found === undefined ? [] : [found].flat();

/** The errors of a request's fields, by JSON name. */
export type ErrorsByField = Readonly<Record<string, readonly FieldError[]>>;

interface ApiErrorOptions {
  /** The body has their sentences under `errors.children` and their words under `reasons`. */
  readonly fields?: ErrorsByField;
  /** Additional response headers, such as `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** For the log. */
  readonly cause?: unknown;
}

/**
 * An error response. `reason` is a stable upper-case word for programs and metrics; `message` is for people,
 * unless a rule fixes its text (rule answers 51).
 */
export class ApiError extends Error {
  readonly fields: ErrorsByField | undefined;
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

/** 400 for the request as a whole, not for a single field. */
export class BadRequest extends ApiError {
  constructor(message: string, reason: AnswerReason = 'BAD_REQUEST') {
    super(400, reason, message);
  }
}

export class ValidationFailed extends ApiError {
  constructor(fields: ErrorsByField) {
    super(400, 'VALIDATION_FAILED', 'Validation Failed', { fields });
  }

  static on(field: string, found: FieldError | readonly FieldError[]): ValidationFailed {
    return new ValidationFailed({ [field]: errorsIn(found) });
  }
}

/** 401: no credential, or one that is not valid. */
export class Unauthorised extends ApiError {
  constructor(message = 'Authentication is required', reason: AnswerReason = 'UNAUTHORISED') {
    super(401, reason, message);
  }
}

/** 403: the caller has no access to the addressed record. */
export class AccessDenied extends ApiError {
  constructor(message = 'Access denied', reason: AnswerReason = 'ACCESS_DENIED') {
    super(403, reason, message);
  }
}

export class NotFound extends ApiError {
  constructor(what: string) {
    super(404, 'NOT_FOUND', `${what} not found`);
  }
}

/** Returns the record, or throws 404. */
export function found<Found>(record: Found | null | undefined, name: string): Found {
  if (record === undefined || record === null) throw new NotFound(name);
  return record;
}

/** Throws 404 for a change that met no row. */
export async function assertFound(
  change: Promise<{ affected?: number | null }>,
  name: string,
): Promise<void> {
  if ((await change).affected === 0) throw new NotFound(name);
}

/**
 * 500, as the interface description requires: the caller has access but lacks a role. It is not logged as an
 * error, and metrics count it as a denial.
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

/** 503: the service cannot respond now, usually because its database does not. */
export class TemporarilyUnavailable extends ApiError {
  constructor(retryAfter = 5) {
    super(503, 'UNAVAILABLE', 'Temporarily unavailable, try again later', {
      headers: { 'Retry-After': String(retryAfter) },
    });
  }
}

/** 503: the database did not confirm a COMMIT. A retry may repeat the change. */
export class OutcomeUnknown extends ApiError {
  constructor(cause: unknown) {
    super(
      503,
      'OUTCOME_UNKNOWN',
      'The database did not confirm the change: it may have been made, look before trying again',
      { headers: { 'Retry-After': '5' }, cause },
    );
  }
}

/** The error response for a violated constraint: an error of one field or of the whole request. */
export type ConstraintError =
  | (FieldError & { readonly field: string })
  | { readonly field?: undefined; readonly message: string; readonly reason: AnswerReason };

/** The owner has the maximum number of such records (rule requests 69). */
export const limitReached = (message: string): ConstraintError => ({ message, reason: 'LIMIT_REACHED' });

/**
 * The errors for named constraints (unique, foreign key, check, or raised by a trigger). The domain that owns
 * the table declares them. So each rule exists once, in the database, and its text once, in the domain.
 */
export type ConstraintErrors = Readonly<Record<string, ConstraintError>>;
