import { BadRequest, ValidationFailed } from '@app/core/errors/api-error';
import { limitReached, type ConstraintErrors } from '@app/core/errors/constraint-errors';
import { fault } from '@app/core/errors/fault';
import { INVITATION_LIMITS } from './invitations.limits';

export const INVITATION_CONSTRAINT_ERRORS: ConstraintErrors = {
  invitations_one_open: {
    field: 'email',
    reason: 'ALREADY_INVITED',
    message: 'This address already has an open invitation.',
  },
  invitations_limit_of_organisation: limitReached(
    `An organisation has at most ${INVITATION_LIMITS.ofOrganisation} open invitations.`,
  ),
};

/** 400: the address of an invitation is the name of a user, now or by the time of the registration. */
export const EMAIL_OF_USER = fault('ALREADY_A_USER', 'This e-mail address already belongs to a user.');

/** 400: what the body says is not what the invitation says; which part differs is not told. */
export class InvitationMismatch extends BadRequest {
  constructor() {
    super('E-mail address, organisation and invitation do not belong together', 'INVITATION_MISMATCH');
  }
}

/** 400: registering without a token is off. */
export class TokenRequired extends BadRequest {
  constructor() {
    super(
      'Registration needs the token of the invitation mail: POST /v1/registerInvitation/{token}',
      'TOKEN_REQUIRED',
    );
  }
}

/** 400: the invitation is known, but can not be registered with (any more). */
export class InvitationNotOpen extends BadRequest {
  constructor(because: keyof typeof REASONS) {
    super(REASONS[because].message, REASONS[because].reason);
  }
}

const REASONS = {
  accepted: { reason: 'INVITATION_ACCEPTED', message: 'The invitation has been used' },
  expired: { reason: 'INVITATION_EXPIRED', message: 'The invitation has expired' },
  orphaned: {
    reason: 'INVITATION_ORPHANED',
    message: 'The organisation of the invitation does not exist any more',
  },
  // Not whose doing it is: whoever has the link need not know.
  suspended: {
    reason: 'INVITATION_ON_HOLD',
    message: 'The invitation can not be used at the moment',
  },
  ended: {
    reason: 'INVITATION_ENDED',
    message: 'The invitation was used, changed or withdrawn a moment ago',
  },
} as const;

/** 400 on the address: it became a user's after the invitation was sent. */
export const emailAlreadyTaken = (): ValidationFailed => ValidationFailed.on('email', EMAIL_OF_USER);
