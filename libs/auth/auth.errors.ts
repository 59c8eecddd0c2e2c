import { NotFound, BadRequest } from '@app/core/errors/api-error';
import type { InvalidTransition } from './second-factor-states';

/** 404 as described for login; `HIDE_UNKNOWN_USERNAMES` answers `BadCredentials` instead. */
export class UnknownUsername extends NotFound {
  constructor() {
    super('Username');
  }
}

/** 400: the state of the user's second factor does not allow it. */
export class SecondFactorInvalid extends BadRequest {
  constructor({ message, reason }: InvalidTransition) {
    super(message, reason);
  }
}

/** 400: recovery codes stand for those of an authenticator that is in use. */
export class SecondFactorNotEnabled extends BadRequest {
  constructor() {
    super('2FA is not enabled', 'SECOND_FACTOR_NOT_ENABLED');
  }
}

/** 400: a user does not take off the second factor that its organisation demands. */
export class SecondFactorRequired extends BadRequest {
  constructor() {
    super('The organisation requires 2FA', 'SECOND_FACTOR_DEMANDED');
  }
}
