import { NotFound, BadRequest } from '@app/core/errors/api-error';
import { limitReached, type ConstraintErrors } from '@app/core/errors/constraint-errors';
import { MAX_RESTORABLE_NAMES } from './recovery.types';

/** 404: no mail of ours ever carried this token, or the user is deleted. */
export class UnknownRecovery extends NotFound {
  constructor() {
    super('Reset request');
  }
}

/** 400 as described: the token is used, too old, or ended by a newer one or a change of the user. */
export class RecoveryExpired extends BadRequest {
  constructor() {
    super('request expired', 'REQUEST_EXPIRED');
  }
}

export const RECOVERY_CONSTRAINT_ERRORS: ConstraintErrors = {
  name_restorations_limit_of_user: limitReached(
    `A user changes its name at most ${MAX_RESTORABLE_NAMES} times in 72 hours.`,
  ),
};
