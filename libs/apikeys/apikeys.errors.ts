import { limitReached, type ConstraintErrors } from '@app/core/errors/constraint-errors';
import { API_KEY_LIMITS } from './apikeys.limits';

export const API_KEY_CONSTRAINT_ERRORS: ConstraintErrors = {
  api_keys_limit_of_user: limitReached(`A user has at most ${API_KEY_LIMITS.ofUser} API keys.`),
};
