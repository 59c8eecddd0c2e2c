import { PasswordField } from '@app/core/passwords/password-field.decorator';
import { VARIANT_A_PASSWORD_RULES } from '@app/core/passwords/password-rules';
import { IdentifierField } from '@app/core/wire/field.decorators';
import { createShape } from '@app/core/wire/shapes';
import { EmailField } from '@app/users/shapes/email.decorators';
import { toRegistration } from '../shared/registration';
import { INVITATION } from '../shared/invitation.properties';

/** Body of `POST /registerInvitation` with and without a token. */
class RegisterInvitationDto {
  @EmailField(INVITATION.email.description)
  email!: string;

  @IdentifierField({ declaredAs: 'integer', required: true, ...INVITATION.organisationId })
  organisationId!: number;

  @IdentifierField({ declaredAs: 'integer', ...INVITATION.inviationId })
  inviationId?: number;

  @IdentifierField({ declaredAs: 'integer', ...INVITATION.invitationId })
  invitationId?: number;

  @PasswordField({ rules: VARIANT_A_PASSWORD_RULES })
  password!: string;
}

export const registerInvitationShape = createShape(RegisterInvitationDto, toRegistration);
