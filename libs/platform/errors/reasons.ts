/**
 * The stable words of error answers (`reason`), each with what it means. Programs compare them: a word is never changed
 * and never used for something else.
 */
export const ANSWER_REASONS = {
  ABORTED: 'The request ended before its body was whole',
  ACCESS_DENIED: 'The caller has no access to what is addressed',
  ADDRESS_REFUSED: 'The whitelist of the API key lacks the address that the call comes from',
  API_KEY_READ_ONLY: 'The API key is good for GET and HEAD alone',
  API_KEY_REFUSED: 'No key gives anybody a role that manages others',
  API_KEY_ROTATED: 'Another key has taken the place of the API key or service key',
  AREA_NOT_HERE: 'The path belongs to an area of the panel that is not here yet',
  BAD_CREDENTIALS: 'The password or the passkey is wrong, or the user is disabled',
  BAD_REQUEST: 'The request as a whole is refused; the message says why',
  BODY_TOO_DEEP: 'The body is nested too deeply',
  BODY_TOO_LARGE: 'The body is too large',
  CHANGED_MEANWHILE: 'The record is not in the state that `If-Match` names: read it again',
  CODE_INVALID: '`6digitCode` is missing or wrong',
  CONTENT_MISMATCH: 'The first bytes of the body are not those of the type that it is declared as',
  CONTENT_TYPE_NOT_TAKEN: 'The body is none of the types of files that the path takes, or is encoded',
  DEVICE_TOKEN_INVALID: '`2faToken` is no token of a trusted device',
  HEADERS_TOO_LARGE: 'The headers of the request are too large',
  IDEMPOTENCY_KEY_IN_USE:
    'The first request with the `Idempotency-Key` is still under way: try again after `Retry-After`',
  IDEMPOTENCY_KEY_REUSED: 'The `Idempotency-Key` was used with another body, or in the other variant',
  INTERNAL_ERROR: 'An unexpected fault of the service; the log has it under the request id',
  INVITATION_ACCEPTED: 'The invitation has been used',
  INVITATION_ENDED: 'The invitation was used, changed or withdrawn a moment ago',
  INVITATION_EXPIRED: 'The invitation is too old',
  INVITATION_MISMATCH: 'Address, organisation and invitation do not belong together',
  INVITATION_ON_HOLD: 'The invitation can not be used at the moment',
  INVITATION_ORPHANED: 'The organisation of the invitation does not exist any more',
  IN_USE:
    'Organisations lie beneath the organisation, or it has enabled users; or organisations have the price group',
  LIMIT_REACHED: 'The owner has as many as it can have; the message says how many',
  MALFORMED_FORM: 'The body is no form',
  MALFORMED_JSON: 'The body is not valid JSON',
  METHOD_NOT_ALLOWED: 'The path has no such method; `Allow` has those that it has',
  NOT_AN_OBJECT: 'The body is no JSON object',
  NOT_FOUND: 'What the message names does not exist',
  NOT_JSON: 'The body is not declared as JSON, or in a character set that is not supported',
  NOTHING_TO_SEND: 'The document has no file that a link could lead to',
  OPERATION_NOT_ALLOWED: 'The service key, or whoever makes it, may not do the operation',
  OPERATION_NOT_GRANTED: 'The service key is not for this operation',
  OPERATOR_ORGANISATION: 'The operator organisation stays',
  OUTCOME_UNKNOWN: 'The database did not confirm the change: it may have been made, look before trying again',
  REQUEST_EXPIRED: 'The reset link is used, too old, or ended by a newer one',
  REQUEST_TIMEOUT: 'The request did not arrive whole in time',
  ROLE_REQUIRED: 'The caller has access but lacks the role; an answer, not a fault',
  SECOND_FACTOR_DEMANDED: 'The organisation demands a second factor',
  SECOND_FACTOR_ENABLED: 'The second factor is active already',
  SECOND_FACTOR_NOT_ENABLED: 'The second factor is not active',
  SECOND_FACTOR_NOT_REQUESTED: 'The set-up of a second factor was not begun',
  SECOND_FACTOR_REQUESTED: 'The set-up of the second factor is not finished',
  SECOND_FACTOR_REQUIRED:
    'The organisation demands a second factor and the user has none; or only who has one may do this',
  SUPPORT_NOT_ALLOWED: 'No support login may do this, or the organisation does not allow such a login',
  SUPPORT_READ_ONLY: 'The support login is good for GET and HEAD alone',
  SUSPENDED_FROM_ABOVE: 'Who suspended the organisation stands above the caller, and alone can change that',
  TOKEN_REQUIRED: 'Registration needs the path with the token',
  TOO_MANY_ATTEMPTS: 'Too many attempts; `Retry-After` says when to try again',
  UNAUTHORISED: 'The credential is missing, unknown, expired or revoked',
  UNAVAILABLE: 'The service can not answer right now; `Retry-After` says when to try again',
  VALIDATION_FAILED: 'Fields are wrong; see `errors` and `reasons`',
  VARIANT_BROWNOUT:
    'This variant of the interface ends and is off for a while, as announced; `Retry-After` says until when',
} as const satisfies Record<string, string>;

/** The word of an error answer. */
export type AnswerReason = keyof typeof ANSWER_REASONS;

/** The stable words of what can be wrong with a field (`reasons`), each with what it means. */
export const FAULT_REASONS = {
  ADDRESS_NOT_PUBLIC: 'The address is not public, and the operator does not list it',
  ADMIN_ONLY: 'Only an admin may use this field',
  ADMIN_OR_RESELLER_ONLY: 'Only an admin or the reseller of the organisation may set this field',
  ALREADY_A_USER: 'The address belongs to a user',
  ALREADY_INVITED: 'The address has an open invitation',
  ALREADY_TAKEN: 'Something else has this value, which can be there once',
  CAPITAL_MISSING: 'A capital letter is needed',
  CIRCLE: 'The organisation would lie beneath itself',
  DIGIT_MISSING: 'A digit is needed',
  DOES_NOT_EXIST: 'What the value names does not exist, or is out of reach',
  FORBIDDEN_CHARACTER: 'A character that must not be in it',
  GIVEN_TWICE: 'The parameter should be given once',
  INVALID: 'The value has not the form that the text describes',
  INVALID_EMAIL_ADDRESS: 'No e-mail address',
  INVALID_IDENTIFIER: 'No identifier: a positive integer of 32 bits',
  INVALID_IP_ADDRESS: 'No IPv4 or IPv6 address or CIDR range',
  INVALID_KEY: 'The SSH key is broken, or not what it says',
  INVALID_PASSKEY:
    'No new passkey of this user, made by a page of this service with the last options and with verification of the user',
  INVALID_PASSWORD_HASH: 'No password hash of an accepted form',
  INVALID_PHONE_NUMBER: 'No phone number in international form',
  INVALID_SLACK_CHANNEL: 'No Slack channel',
  INVALID_TIMESTAMP: 'No timestamp in Unix seconds',
  INVALID_URL: 'No URL of the form that the text describes',
  INVALID_USERNAME: 'Neither a login name nor an e-mail address',
  ITSELF: 'The value names the organisation itself',
  MISMATCH: 'The value differs from another field that says the same',
  NOT_A_CHOICE: 'None of the values that the text lists',
  NOT_CHANGEABLE: 'The field keeps the value that it was created with',
  NOT_NULLABLE: 'The field can not be null',
  NOT_STORABLE: 'A character that can not be stored: NUL, or half a surrogate pair',
  OPERATION_NOT_ALLOWED: 'The service key, or whoever makes it, may not do the operation',
  OPERATOR_ORGANISATION: 'The operator organisation has no parent and no reseller',
  OPERATOR_ROLE: 'ROLE_ADMIN can only be held in the operator organisation',
  PRIVATE_KEY: 'A private key, which should not leave its owner',
  RANGE_TOO_WIDE: 'The range has all addresses',
  READ_ONLY: 'Nobody can set this field',
  REQUIRED: 'The field is missing, null or blank',
  SPECIAL_CHARACTER_MISSING: 'A special character is needed',
  TOO_DEEP: 'Too many levels',
  TOO_LARGE: 'A smaller number is asked for',
  TOO_LONG: 'Fewer characters, bytes or items are asked for',
  TOO_SHORT: 'More characters are asked for',
  TOO_SMALL: 'A larger number is asked for',
  UNKNOWN_EVENT: 'No event and no group of events has this name',
  UNKNOWN_FIELD: 'The request has no such field; under `STRICT_BODY` alone',
  UNKNOWN_OPERATION: 'No operation and no group of operations has this name',
  UNSUPPORTED_KEY: 'The SSH key is of a format, type or size that is not accepted',
  WRONG_PASSWORD: 'Not the present password',
  WRONG_TYPE: 'Another JSON type is asked for',
} as const satisfies Record<string, string>;

/** The word of what is wrong with a field. */
export type FaultReason = keyof typeof FAULT_REASONS;

/** The stable words of decisions about questions (AuthZEN), each with what it means. The guard's own words join them. */
export const DECISION_REASONS = {
  ALLOWED: 'The subject may do it',
  MALFORMED: 'The question of a batch lacks a part, or a part has another type',
  OWNER_SUSPENDED:
    'The organisation that owns the record is suspended, and none above it leads the subject there',
  UNKNOWN_ACTION: 'Resources of this type have no such action in this variant',
  UNKNOWN_RESOURCE: 'No resource of this type has this id, or there is no such type',
  UNKNOWN_SUBJECT: 'No subject of this type has this id, or there is no such type',
} as const satisfies Record<string, string>;

/** The word of a decision. */
export type DecisionReason = keyof typeof DECISION_REASONS | AnswerReason;
