import {
  ApiError,
  type ConstraintErrors,
  fieldError,
  ValidationFailed,
} from '@app/platform/errors/api-error';

/** The request header. Node has header names in lower case. */
export const IDEMPOTENCY_KEY = 'Idempotency-Key';

/** The header of a replayed response. */
export const REPLAYED = 'Idempotency-Replayed';

/** Maximum length of a key. */
export const MAX_KEY_LENGTH = 255;

/** 422: the key belongs to another body, or to the other variant. */
export class KeyReused extends ApiError {
  constructor() {
    super(422, 'IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used with another body or variant');
  }
}

/** 409: the first request has not ended yet. */
export class KeyInUse extends ApiError {
  constructor() {
    super(409, 'IDEMPOTENCY_KEY_IN_USE', 'The first request with this Idempotency-Key is still under way', {
      headers: { 'Retry-After': '1' },
    });
  }
}

export const malformedKey = (): ValidationFailed =>
  ValidationFailed.on(
    IDEMPOTENCY_KEY,
    fieldError('INVALID', `This header should have 1 to ${MAX_KEY_LENGTH} visible ASCII characters.`),
  );

export const STORED_RESPONSE_CONSTRAINT_ERRORS: ConstraintErrors = {
  stored_responses_service_key_exists: {
    reason: 'UNAUTHORISED',
    message: 'The service key was deleted meanwhile',
  },
};

/** The encryption context of a stored response. */
export const storedResponseContext = (digest: Buffer): string =>
  `stored_responses.encrypted:${digest.toString('hex')}`;
