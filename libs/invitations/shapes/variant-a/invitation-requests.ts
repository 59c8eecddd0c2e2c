import { PasswordField } from '@app/core/passwords/password-field';
import { VARIANT_A_PASSWORD_RULES } from '@app/core/passwords/password-rules';
import { parseCsvList } from '@app/core/text/csv-list';
import { IdentifierField, TextField, WordField } from '@app/core/wire/fields';
import { changeShape, creationShape } from '@app/core/wire/shapes';
import { LANGUAGES, type Language } from '@app/users/user.entity';
import type { InvitationInput } from '../../invitation.values';
import { EmailField, registrationOf } from '../parts';

/** Body of `POST` and `PUT …/invitations` in Variant A. */
export class InvitationBodyA {
  @EmailField()
  email!: string;

  @TextField({ max: 255, required: true, example: 'Jan' })
  firstName!: string;

  @TextField({ max: 255, required: true, example: 'de Vries' })
  lastName!: string;

  @WordField({ words: LANGUAGES, default: 'nl' })
  language?: Language;

  @TextField({ max: 1000, description: 'Comma-separated role names', example: 'ROLE_CUSTADMIN' })
  autoRoles?: string;

  @TextField({ max: 1000, description: 'Comma-separated ids of teams of the organisation', example: '5,8' })
  autoTeams?: string;
}

/** Body of `POST /registerInvitation` in Variant A. */
export class RegistrationBodyA {
  @EmailField()
  email!: string;

  @IdentifierField({ declaredAs: 'integer', required: true, example: 12 })
  organisationId!: number;

  @IdentifierField({
    declaredAs: 'integer',
    description: 'Required in one of its two spellings',
    example: 56,
  })
  inviationId?: number;

  @IdentifierField({ declaredAs: 'integer', description: 'The other spelling of inviationId', example: 56 })
  invitationId?: number;

  @PasswordField({ rules: VARIANT_A_PASSWORD_RULES })
  password!: string;
}

const inputOf = (dto: InvitationBodyA): InvitationInput => ({
  email: dto.email,
  firstName: dto.firstName,
  lastName: dto.lastName,
  language: dto.language,
  autoRoles: dto.autoRoles === undefined ? undefined : parseCsvList(dto.autoRoles),
  autoTeams: dto.autoTeams === undefined ? undefined : parseCsvList(dto.autoTeams),
});

export const invitationCreationA = creationShape(InvitationBodyA, inputOf);
export const invitationChangeA = changeShape(InvitationBodyA, inputOf);
export const registrationA = creationShape(RegistrationBodyA, registrationOf);
