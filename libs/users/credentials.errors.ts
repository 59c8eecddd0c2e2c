import { Unauthorised } from '@app/core/errors/api-error';

/** 401: the password is wrong, or the user is disabled, which only the right password would tell apart. */
export class BadCredentials extends Unauthorised {
  constructor() {
    super('Bad credentials', 'BAD_CREDENTIALS');
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

/** Those errors, for the interface description. */
export const secondFactorRefusals = (
  ...reasons: readonly (keyof typeof SECOND_FACTOR_MESSAGES)[]
): readonly SecondFactorMissing[] => reasons.map((reason) => new SecondFactorMissing(reason));
