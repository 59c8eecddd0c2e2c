import {
  AccessDenied,
  BadRequest,
  type ConstraintErrors,
  fieldError,
  limitReached,
  Unauthorised,
} from '@app/platform/errors/api-error';
import type { StepUpProof } from '@app/security/passwords/step-up-proof';

/** Languages of users, invitations and mails. */
export const LANGUAGES = ['nl', 'en', 'fr'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Body of `PATCH …/users/{userId}`. Undefined leaves a field unchanged. */
export interface UserChanges {
  username: string;
  firstName: string;
  lastName: string;
  roles?: string[];
  language?: Language;
  websiteOrderInformation?: string | null;
  /** Required for another user name and for a role that manages others. */
  proof: StepUpProof;
}

/** Body of `…/actions`. */
export interface UserAction {
  type: 'enable' | 'disable';
}

/** Body of `…/changepassword`. */
export interface PasswordChange {
  oldPassword: string;
  newPassword: string;
}

/** Most users of an organisation (docs/limits.md; a trigger of the table counts them). */
const USERS_OF_ORGANISATION = 10_000;

const LAST_ADMIN = 'The last enabled admin cannot be deleted, disabled or demoted.';

export const USER_CONSTRAINT_ERRORS: ConstraintErrors = {
  users_username_unique: {
    field: 'username',
    ...fieldError('ALREADY_TAKEN', 'This user name is already taken.'),
  },
  users_admins_are_operators: {
    field: 'defaultRoles',
    reason: 'OPERATOR_ROLE',
    message: 'ROLE_ADMIN can only be held in the operator organisation.',
  },
  users_one_admin_remains: { reason: 'BAD_REQUEST', message: LAST_ADMIN },
  users_limit_of_organisation: limitReached(`An organisation has at most ${USERS_OF_ORGANISATION} users.`),
  users_organisation_exists: { reason: 'BAD_REQUEST', message: 'The organisation does not exist any more.' },
};

/** 400: the error of the constraint on the last admin, for the interface description. */
export const lastAdminNotRemovable = (): BadRequest => new BadRequest(LAST_ADMIN);

/** 403: reset links go to the user name, and an API key must not lead to a new password. */
export const apiKeyRenames = (): AccessDenied => new AccessDenied('An API key cannot change a user name');

/** 401: the password is wrong or the user is disabled. The response does not say which. */
export const badCredentials = (): Unauthorised => new Unauthorised('Bad credentials', 'BAD_CREDENTIALS');

/** The 401 messages of two-factor login. Clients compare them literally (rule login 49). */
const SECOND_FACTOR_MESSAGES = {
  SECOND_FACTOR_REQUESTED: '2FA is requested',
  SECOND_FACTOR_REQUIRED: '2FA is required',
  CODE_INVALID: '6digitCode is invalid',
  DEVICE_TOKEN_INVALID: '2FA token is invalid',
} as const;

/** 401 after a right password without the second factor. */
export const secondFactorMissing = (reason: keyof typeof SECOND_FACTOR_MESSAGES): Unauthorised =>
  new Unauthorised(SECOND_FACTOR_MESSAGES[reason], reason);

/** The errors of the second factor, for the interface description. */
export const secondFactorRefusals = (
  ...reasons: readonly (keyof typeof SECOND_FACTOR_MESSAGES)[]
): readonly Unauthorised[] => reasons.map(secondFactorMissing);

/** The refusals of a wrong proof, for the interface description. */
export const PROOF_REFUSALS: readonly Unauthorised[] = [
  badCredentials(),
  secondFactorMissing('CODE_INVALID'),
];

/** State of a user's two-factor login (rule login 47). */
export type SecondFactor = 'disabled' | 'requested' | 'enabled';
