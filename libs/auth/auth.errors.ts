import { NotFound, BadRequest, Unauthorised } from '@app/core/errors/api-error';
import type { InvalidTransition } from './second-factor-states';

/** 401: the password is wrong, or the user is disabled, which only the right password would tell apart. */
export class BadCredentials extends Unauthorised {
  constructor() {
    super('Bad credentials', 'BAD_CREDENTIALS');
  }
}

/** 404 as described for login; `HIDE_UNKNOWN_USERNAMES` answers {@link BadCredentials} instead. */
export class UnknownUsername extends NotFound {
  constructor() {
    super('Username');
  }
}

/** The two-factor messages, which a client compares literally (decisions.md section 2). All are 401. */
const SECOND_FACTOR_MESSAGES = {
  SECOND_FACTOR_REQUESTED: '2FA is requested',
  SECOND_FACTOR_REQUIRED: '2FA is required',
  CODE_INVALID: '6digitCode is invalid',
  DEVICE_TOKEN_INVALID: '2FA token is invalid',
} as const;

/** 401 after a right password, for want of the second factor. */
export class SecondFactorMissing extends Unauthorised {
  constructor(reason: keyof typeof SECOND_FACTOR_MESSAGES) {
    super(SECOND_FACTOR_MESSAGES[reason], reason);
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
