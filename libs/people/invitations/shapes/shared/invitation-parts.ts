import { ORGANISATION, USER } from '@app/people/organisations/shapes/shared/organisation-parts.response';
import type { FieldDescription } from '@app/platform/dto/described-fields';
import { ResponseField } from '@app/platform/dto/shapes';
import { PASSWORD_MAX_BYTES } from '@app/security/passwords/password-forms';
import { describePasswordRules } from '@app/security/passwords/password-rules';
import type { RegistrationForm } from '../../invitation.types';

/** Descriptions of the fields of an invitation, in requests and responses. */
export const INVITATION = {
  id: { type: 'integer', description: 'Identifier of the invitation', example: 56 },
  email: {
    description: 'The invited address, which becomes the user name; one open invitation in an organisation',
    example: 'jan@example.nl',
  },
  language: { enum: ['nl', 'en', 'fr'], description: 'Language of the mail, and then of the user' },
  organisation: { description: 'The organisation that the person is invited to' },
  status: { description: 'Open, used to register, or expired, in this order' },
  statusCategory: {
    enum: ['green', 'grey'],
    description: 'The colour of the status: green while it is open',
  },
  autoTeams: {
    description:
      'Comma-separated identifiers of teams of the organisation that the new user joins; empty for none',
    example: '5,8',
  },
  organisationId: { description: 'Identifier of the organisation of the invitation', example: 12 },
  inviationId: {
    description: 'Identifier of the invitation; needed in this or the other spelling',
    example: 56,
  },
  invitationId: { description: 'The other spelling of inviationId', example: 56 },
} as const satisfies Readonly<Record<string, FieldDescription>>;

/** The organisation of an invitation. */
export class OrganisationOfInvitationResponse {
  @ResponseField(ORGANISATION.id) id!: number;
}

/** Response of `GET …/invitations/{invitationId}/check`. */
export class AvailabilityResponse {
  @ResponseField({ type: 'boolean', description: 'Whether the invitation can still be registered with' })
  available!: boolean;
}

export const toAvailabilityResponse = (available: boolean): AvailabilityResponse => ({ available });

/** The organisation of an invitation, for the person who registers. */
export class InvitingOrganisationResponse {
  @ResponseField(ORGANISATION.id) id!: number;
  @ResponseField(ORGANISATION.name) name!: string;
}

/** The rules of a new password. */
export class PasswordRulesResponse {
  @ResponseField({ type: 'integer', description: 'Fewest characters (Unicode code points)', example: 8 })
  minLength!: number;

  @ResponseField({ type: 'integer', description: 'Most characters', example: 29 }) maxLength!: number;
  @ResponseField({ type: 'integer', description: 'Most bytes in UTF-8', example: 72 }) maxBytes!: number;
  @ResponseField({ type: 'boolean', description: 'Whether it needs one of 0 to 9' }) digit!: boolean;
  @ResponseField({ type: 'boolean', description: 'Whether it needs a capital letter, of any script' })
  capital!: boolean;

  @ResponseField({
    type: 'boolean',
    description: 'Whether it needs a character that is neither letter nor digit, nor forbidden',
  })
  special!: boolean;

  @ResponseField({ description: 'All of it in words, with what is forbidden' }) description!: string;
}

/** An invitation, for the holder of its token. */
export class InvitationToRegisterResponse {
  @ResponseField(INVITATION.id) id!: number;
  @ResponseField(INVITATION.email) email!: string;
  @ResponseField(USER.firstName) firstName!: string;
  @ResponseField(USER.lastName) lastName!: string;

  @ResponseField({ type: InvitingOrganisationResponse, ...INVITATION.organisation })
  organisation!: InvitingOrganisationResponse;

  @ResponseField({
    type: PasswordRulesResponse,
    description: 'What the password of the registration must satisfy',
  })
  passwordRules!: PasswordRulesResponse;
}

export const toInvitationToRegisterResponse = ({
  invitation,
  passwordRules: rules,
}: RegistrationForm): InvitationToRegisterResponse => ({
  id: invitation.id,
  email: invitation.email,
  firstName: invitation.firstName,
  lastName: invitation.lastName,
  organisation: { id: invitation.organisationId, name: invitation.organisationName },
  passwordRules: {
    minLength: rules.minCharacters,
    maxLength: rules.maxCharacters,
    maxBytes: PASSWORD_MAX_BYTES,
    digit: rules.needsDigit,
    capital: rules.needsCapital,
    special: rules.needsSpecial,
    description: describePasswordRules(rules),
  },
});
