import { emailOf } from '@app/formats/email-address';
import { ORGANISATION, USER } from '@app/people/organisations/shapes/shared/organisation-parts.response';
import { statusCategory } from '@app/people/organisations/status';
import {
  OrganisationOfUserResponse,
  TeamOfUserResponse,
  toOrganisationOfUserResponse,
  toTeamOfUserResponse,
} from '@app/people/users/shapes/shared/user-parts.response';
import type { OrganisationOfUser, TeamOfUser } from '@app/people/users/user.columns';
import type { FieldDescription } from '@app/platform/dto/described-fields';
import { ResponseField, RestrictedField } from '@app/platform/dto/shapes';
import type { Identity } from '../../auth.types';

/** Describes the fields of the bodies and responses of logins. */
export const LOGIN = {
  success: { type: 'boolean', description: 'Always true: a refusal has another status', example: true },
  user: { description: 'The user who logged in' },
  hash: {
    description: 'The credential: 64 hexadecimal digits for the Authorization header of every other call',
  },
  hash2fa: {
    description:
      'Token of the device that is trusted now: send it as 2faToken at the next login. Empty without one',
  },
  username: { description: 'E-mail address or login name; white space around it is cut' },
  password: { description: 'The password of the user' },
  code: {
    description:
      'Code of the authenticator, six digits, or in its place a recovery code, which is longer and ' +
      'has letters: no input field of six digits; needed where two-factor login is on. A code ' +
      'counts once. Blanks and hyphens do not count, and a number has zeros put before it. Empty ' +
      'counts as absent',
    example: '123456',
  },
  trustThisDevice: {
    description: 'With a right code: asks this user for no code from this device for 30 days',
  },
  deviceToken: {
    description: 'hash2fa of an earlier login of the same user: no code is asked for. Empty counts as absent',
  },
} as const satisfies Readonly<Record<string, FieldDescription>>;

/** The owner of the presented credential. */
export class IdentityResponse {
  @ResponseField({ type: 'integer', description: 'Identifier of the user; 0 for a service key', example: 7 })
  userId!: number;

  @ResponseField({
    type: 'integer',
    description: 'Identifier of the organisation of the user or service key',
    example: 12,
  })
  organisationId!: number;

  @ResponseField({
    description: 'User name; `servicekey:<id>` for a service key',
    example: 'jan@example.com',
  })
  username!: string;

  @ResponseField({
    description: 'Full name of the user, or the name of the service key',
    example: 'Jan Bakker',
  })
  name!: string;

  @ResponseField(USER.email) email!: string;

  @RestrictedField({
    type: 'boolean',
    description: 'Always true: a support login. Absent for every other credential',
    example: true,
  })
  support?: boolean;
}

export const toIdentityResponse = (identity: Identity): IdentityResponse => ({
  userId: identity.userId ?? 0,
  organisationId: identity.organisationId,
  username: identity.username,
  name: identity.fullName,
  email: emailOf(identity.username),
  ...(identity.staffId !== null && { support: true }),
});

/** A team of the user who logged in. */
export class LoginTeamResponse extends TeamOfUserResponse {
  @ResponseField({ description: 'Status of the team', example: 'ok' }) status!: string;
  @ResponseField({ description: 'The colour of the status', example: 'green' }) statusCategory!: string;
}

export const toLoginTeamResponse = (team: TeamOfUser): LoginTeamResponse => ({
  ...toTeamOfUserResponse(team),
  status: 'ok',
  statusCategory: statusCategory('ok'),
});

/** The organisation of the user who logged in. */
export class LoginOrganisationResponse extends OrganisationOfUserResponse {
  @ResponseField(ORGANISATION.updateEntitiesOnly) updateEntitiesOnly!: boolean;
  @ResponseField(ORGANISATION.prePaymentRequired) prePaymentRequired!: boolean;

  @ResponseField({ type: 'integer', enum: [0, 1, 2], ...ORGANISATION.externalInfoRequired })
  externalInfoRequired!: number;

  @ResponseField({ type: 'integer', ...ORGANISATION.agencyMode }) agencyMode!: number;
}

export const toLoginOrganisationResponse = (organisation: OrganisationOfUser): LoginOrganisationResponse => ({
  ...toOrganisationOfUserResponse(organisation),
  updateEntitiesOnly: organisation.updateEntitiesOnly,
  prePaymentRequired: organisation.prePaymentRequired,
  externalInfoRequired: organisation.externalInfoRequired,
  agencyMode: organisation.agencyMode,
});
