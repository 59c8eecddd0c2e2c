import { PasswordField } from '@app/core/passwords/password-field.decorator';
import { VARIANT_A_PASSWORD_RULES } from '@app/core/passwords/password-rules';
import { IdentifierField } from '@app/core/wire/field.decorators';
import { createShape } from '@app/core/wire/shapes';
import { EmailField } from '@app/users/shapes/email.decorators';
import { toRegistration } from '../shared/registration';

/** Body of `POST /registerInvitation` with and without a token. */
class RegisterInvitationDto {
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

export const registerInvitationShape = createShape(RegisterInvitationDto, toRegistration);
