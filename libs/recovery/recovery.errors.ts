import { NotFound, BadRequest } from '@app/core/errors/api-error';

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
