import { ApiProperty } from '@nestjs/swagger';
import {
  describePasswordRules,
  PASSWORD_MAX_BYTES,
  type PasswordRules,
} from '@app/core/passwords/password-rules';
import { ORGANISATION } from '@app/organisations/shapes/shared/organisation.properties';
import { USER } from '@app/organisations/shapes/shared/user.properties';
import type { RegistrationForm } from '../../invitation.types';
import { INVITATION } from './invitation.properties';

/** The organisation that somebody registers with. */
export class InvitingOrganisationResponse {
  @ApiProperty(ORGANISATION.id)
  id!: number;

  @ApiProperty(ORGANISATION.name)
  name!: string;
}

/** What a new password must satisfy. */
export class PasswordRulesResponse {
  @ApiProperty({ type: 'integer', description: 'Fewest characters (Unicode code points)', example: 8 })
  minLength!: number;

  @ApiProperty({ type: 'integer', description: 'Most characters', example: 29 })
  maxLength!: number;

  @ApiProperty({ type: 'integer', description: 'Most bytes in UTF-8', example: 72 })
  maxBytes!: number;

  @ApiProperty({ description: 'Whether it needs one of 0 to 9' })
  digit!: boolean;

  @ApiProperty({ description: 'Whether it needs a capital letter, of any script' })
  capital!: boolean;

  @ApiProperty({
    description: 'Whether it needs a character that is neither letter nor digit, nor forbidden',
  })
  special!: boolean;

  @ApiProperty({ description: 'All of it in words, with what is forbidden' })
  description!: string;
}

/** An invitation for whoever has its token. */
export class InvitationToRegisterResponse {
  @ApiProperty(INVITATION.id)
  id!: number;

  @ApiProperty(INVITATION.email)
  email!: string;

  @ApiProperty(USER.firstName)
  firstName!: string;

  @ApiProperty(USER.lastName)
  lastName!: string;

  @ApiProperty({ type: InvitingOrganisationResponse, ...INVITATION.organisation })
  organisation!: InvitingOrganisationResponse;

  @ApiProperty({
    type: PasswordRulesResponse,
    description: 'What the password of the registration must satisfy',
  })
  passwordRules!: PasswordRulesResponse;
}

/** Response of `GET /registerInvitation/{token}`. */
export class RegistrationFormResponse {
  @ApiProperty({
    type: InvitationToRegisterResponse,
    description: 'What the registration form shows and sends',
  })
  invitation!: InvitationToRegisterResponse;
}

const toPasswordRulesResponse = (rules: PasswordRules): PasswordRulesResponse => ({
  minLength: rules.minCharacters,
  maxLength: rules.maxCharacters,
  maxBytes: PASSWORD_MAX_BYTES,
  digit: rules.needsDigit,
  capital: rules.needsCapital,
  special: rules.needsSpecial,
  description: describePasswordRules(rules),
});

export const toRegistrationFormResponse = ({
  invitation,
  passwordRules,
}: RegistrationForm): RegistrationFormResponse => ({
  invitation: {
    id: invitation.id,
    email: invitation.email,
    firstName: invitation.firstName,
    lastName: invitation.lastName,
    organisation: { id: invitation.organisationId, name: invitation.organisationName },
    passwordRules: toPasswordRulesResponse(passwordRules),
  },
});
