import { BadRequest } from '@app/core/errors/api-error';
import { limitReached, type ConstraintErrors } from '@app/core/errors/constraint-errors';
import { API_KEY_LIMITS } from './apikeys.limits';

/** 400: a key is rotated once; its successor can be rotated in turn. */
export class AlreadyRotated extends BadRequest {
  constructor() {
    super('A new key has taken the place of this one already', 'API_KEY_ROTATED');
  }
}

export const API_KEY_CONSTRAINT_ERRORS: ConstraintErrors = {
  api_keys_limit_of_user: limitReached(`A user has at most ${API_KEY_LIMITS.ofUser} API keys.`),
};
