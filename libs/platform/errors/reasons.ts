/**
 * Reasons of error responses (`reason`), each with its meaning. Programs compare them, so a word
 * never changes and is never reused. Domains declare theirs in a `*.reasons.ts`;
 * `libs/service/reasons.ts` collects all.
 */
export const COMMON_REASONS = {
  ABORTED: 'The request ended before its body had arrived',
  ACCESS_DENIED: 'The caller has no access to the addressed record',
  BAD_REQUEST: 'The whole request is refused; the message says why',
  BODY_TOO_DEEP: 'The body is nested too deeply',
  BODY_TOO_LARGE: 'The body is too large',
  CHANGED_MEANWHILE: 'The record has changed since the state in `If-Match`: read it again',
  HEADERS_TOO_LARGE: 'The headers of the request are too large',
  INTERNAL_ERROR: 'An unexpected fault of the service; the log has it under the request id',
  LIMIT_REACHED: 'The owner has the maximum number of these records; the message says how many',
  MALFORMED_FORM: 'The body is not a form',
  MALFORMED_JSON: 'The body is not valid JSON',
  METHOD_NOT_ALLOWED: 'The path does not have this method; `Allow` lists its methods',
  NOT_AN_OBJECT: 'The body is not a JSON object',
  NOT_FOUND: 'The record that the message names does not exist',
  NOT_JSON: 'The body is not declared as JSON, or in a character set that is not supported',
  OUTCOME_UNKNOWN:
    'The database did not confirm the change: it may have been made. Check before you try again',
  REQUEST_TIMEOUT: 'The request did not arrive completely in time',
  ROLE_REQUIRED: 'The caller has access but lacks the role; an answer, not a fault',
  TOO_MANY_ATTEMPTS:
    'Too many attempts, or too much of this in the time; `Retry-After` says when to try again',
  UNAUTHORISED: 'The credential is missing, unknown, expired or revoked',
  UNAVAILABLE: 'The service cannot answer right now; `Retry-After` says when to try again',
  VALIDATION_FAILED: 'Fields are wrong; see `errors` and `reasons`',
};

export interface AnswerReasons extends Record<keyof typeof COMMON_REASONS, string> {}

/** The reason of an error response. */
export type AnswerReason = keyof AnswerReasons;

/** Reasons of fields (`reasons`), each with its meaning. */
export const COMMON_FIELD_ERRORS = {
  ALREADY_TAKEN: 'The value must be unique, and another record has it',
  DOES_NOT_EXIST: 'The value names a record that does not exist or is out of reach',
  FORBIDDEN_CHARACTER: 'The value contains a forbidden character',
  GIVEN_TWICE: 'The parameter should be given once',
  INVALID: 'The value does not have the form that the text describes',
  INVALID_EMAIL_ADDRESS: 'Not an e-mail address',
  INVALID_IDENTIFIER: 'Not an identifier: a positive integer of 32 bits',
  INVALID_IP_ADDRESS: 'Not an IPv4 or IPv6 address or CIDR range',
  INVALID_TIMESTAMP: 'Not a timestamp in Unix seconds',
  MISMATCH: 'The value contradicts another field',
  NOT_A_CHOICE: 'Not one of the values that the text lists',
  NOT_CHANGEABLE: 'The field cannot be changed after creation',
  NOT_NULLABLE: 'The field cannot be null',
  NOT_STORABLE: 'The value contains NUL or half a surrogate pair, which cannot be stored',
  RANGE_TOO_WIDE: 'The range contains all addresses, or too many for a key that makes login links',
  READ_ONLY: 'This field cannot be set',
  REQUIRED: 'The field is missing, null or blank',
  TOO_DEEP: 'The tree or the value has too many levels',
  TOO_LARGE: 'The number is too large',
  TOO_LONG: 'The value has too many characters, bytes or items',
  TOO_SHORT: 'The value has too few characters',
  TOO_SMALL: 'The number is too small',
  UNKNOWN_FIELD: 'The request has no such field; only with `STRICT_BODY`',
  UNKNOWN_PARAMETER: 'The route has no parameter with this name',
  WRONG_TYPE: 'The value has the wrong JSON type',
};

export interface FieldErrorReasons extends Record<keyof typeof COMMON_FIELD_ERRORS, string> {}

/** The reason of an error in a field. */
export type FieldErrorReason = keyof FieldErrorReasons;
