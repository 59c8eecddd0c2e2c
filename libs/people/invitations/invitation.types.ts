import type { Language } from '@app/people/users/user.types';
import {
  BadRequest,
  type ConstraintErrors,
  fieldError,
  limitReached,
  TooManyRequests,
  ValidationFailed,
} from '@app/platform/errors/api-error';
import type { Role } from '@app/security/access/roles';
import type { CustomerLimit } from '@app/security/customers/customer-limits';
import type { PasswordRules } from '@app/security/passwords/password-rules';

/**
 * Maximum open invitations of an organisation (rule users 24).
 * Triggers of the table count them.
 */
export const INVITATION_LIMITS = { ofOrganisation: 1000 } as const;

/** Most mails a day, UTC, to one address for one organisation (rule users 22). */
export const MOST_MAILS_TO_ADDRESS = 5;

/** Mails to one address (rule users 23). */
export const MAILS_TO_ADDRESS_OF_CUSTOMER: CustomerLimit = {
  name: 'invitation mails to an address',
  counts: 'mails of invitations to one address',
  most: 10,
  per: 'day',
};

/** State of an invitation by the database's clock. */
export type InvitationState = 'open' | 'accepted' | 'expired';

/** Body of `POST` and `PUT …/invitations`. On PUT, undefined leaves a value unchanged. */
export interface InvitationInput {
  email: string;
  firstName: string;
  lastName: string;
  language?: Language;
  /** Unvalidated names of roles. */
  autoRoles?: string[];
  /** Unvalidated ids of teams as text; Variant A only. */
  autoTeams?: string[];
}

/** Body of `POST /registerInvitation/{token}`. */
export interface Registration {
  email: string;
  organisationId: number;
  invitationId: number;
  password: string;
}

/** An invitation at registration. */
export interface InvitationToAccept {
  readonly id: number;
  readonly organisationId: number;
  readonly customerId: number;
  readonly organisationName: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly language: Language;
  readonly tokenDigest: Buffer;
  /**
   * Full name of the user who invited, or the name of the organisation whose service key
   * did. Empty if it was deleted.
   */
  readonly inviterName: string;
  /** Somebody has the address as verified user name by now. */
  readonly isTaken: boolean;
  /** Somebody has it, or has had it until a rename of the last 72 hours: nobody can register by it. */
  readonly isUnavailable: boolean;
  /**
   * `withdrawn`: deleted while open; `orphaned`: its organisation is deleted; `ended`: its organisation is
   * suspended.
   */
  readonly state: InvitationState | 'withdrawn' | 'orphaned' | 'ended';
}

/** Data of the registration form. */
export interface RegistrationForm {
  readonly invitation: InvitationToAccept;
  readonly passwordRules: PasswordRules;
}

/** The fields of an accepted invitation for the new user. */
export interface AcceptedInvitation {
  readonly inviterId: number | null;
  readonly inviterOrganisationId: number | null;
  readonly madeByKey: boolean;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly language: Language;
  readonly autoRoles: readonly Role[];
  readonly autoTeams: readonly number[];
}

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

/** 400: the address is a user name already, now or at the registration. */
export const EMAIL_OF_USER = fieldError('ALREADY_A_USER', 'This e-mail address already belongs to a user.');

/** 429: the address got the mails of the day. */
export const tooManyInvitationMails = (retryAfter: number): TooManyRequests =>
  new TooManyRequests(
    retryAfter,
    `One address gets at most ${MOST_MAILS_TO_ADDRESS} invitations a day for one organisation, ` +
      `and at most ${MAILS_TO_ADDRESS_OF_CUSTOMER.most} of one customer, unless the operator has ` +
      'set more.',
  );

/** 400: the body does not match the invitation. The response does not say which part differs. */
export const invitationMismatch = (): BadRequest =>
  new BadRequest('E-mail address, organisation and invitation do not belong together', 'INVITATION_MISMATCH');

const NOT_OPEN = {
  accepted: ['The invitation has been used', 'INVITATION_ACCEPTED'],
  expired: ['The invitation has expired', 'INVITATION_EXPIRED'],
  orphaned: ['The organisation of the invitation does not exist any more', 'INVITATION_ORPHANED'],
  // Does not reveal the reason to the link holder.
  ended: ['The invitation cannot be used now', 'INVITATION_ENDED'],
} as const;

/** 400: the invitation cannot be used for registration now. */
export function invitationNotOpen(state: keyof typeof NOT_OPEN): BadRequest {
  const [message, reason] = NOT_OPEN[state];
  return new BadRequest(message, reason);
}

/** 400 on the address: it became a user name after the invitation was sent. */
export const emailAlreadyTaken = (): ValidationFailed => ValidationFailed.on('email', EMAIL_OF_USER);
