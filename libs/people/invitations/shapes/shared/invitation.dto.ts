import { USER } from '@app/people/organisations/shapes/shared/organisation-parts.response';
import { EmailField, PersonNameField, RolesField } from '@app/people/users/shapes/user.decorators';
import { type Language, LANGUAGES } from '@app/people/users/user.types';
import { IdentifierField, WordField } from '@app/platform/dto/field.decorators';
import { createShape, type RequestShape, updateShape } from '@app/platform/dto/shapes';
import { parseCsvList, REQUIRED } from '@app/platform/dto/text-rules';
import { fieldError, ValidationFailed } from '@app/platform/errors/api-error';
import { PasswordField, type PasswordRules } from '@app/security/passwords/password-rules';
import { StepUpCodeField, StepUpPasswordField, stepUpProof } from '@app/security/passwords/step-up-fields';
import type { StepUpProof } from '@app/security/passwords/step-up-proof';
import type { Registration } from '../../invitation.types';
import { INVITATION } from './invitation-parts';

/**
 * Body of `PUT …/invitations/{invitationId}` with the fields that both variants take:
 * all of them in Variant B.
 */
export class UpdateInvitationDto {
  @EmailField(INVITATION.email.description) email!: string;
  @PersonNameField(USER.firstName) firstName!: string;
  @PersonNameField(USER.lastName) lastName!: string;
  @WordField({ words: LANGUAGES, ...INVITATION.language }) language?: Language;
  @RolesField() autoRoles?: string;
  @StepUpPasswordField() password?: unknown;
  @StepUpCodeField() '6digitCode'?: unknown;
}

/** Body of `POST …/invitations` with the fields that both variants take. */
export class CreateInvitationDto extends UpdateInvitationDto {
  @WordField({ words: LANGUAGES, default: 'nl', ...INVITATION.language }) declare language?: Language;
}

export const toInvitationInput = (dto: UpdateInvitationDto) => ({
  email: dto.email,
  firstName: dto.firstName,
  lastName: dto.lastName,
  language: dto.language,
  autoRoles: dto.autoRoles === undefined ? undefined : parseCsvList(dto.autoRoles),
  proof: stepUpProof(dto),
});

/** Body of `POST …/resend`. It is read only with `STEP_UP`. */
class ResendInvitationDto {
  @StepUpPasswordField() password?: unknown;
  @StepUpCodeField() '6digitCode'?: unknown;
}

export const resendInvitationShape: RequestShape<StepUpProof> = updateShape(ResendInvitationDto, stepUpProof);

/** Body of `POST /registerInvitation` with and without a token, by the variant's rules for new passwords. */
export function registerInvitationShape(rules: PasswordRules): RequestShape<Registration> {
  class RegisterInvitationDto {
    @EmailField(INVITATION.email.description) email!: string;

    @IdentifierField({ declaredAs: 'integer', required: true, ...INVITATION.organisationId })
    organisationId!: number;

    @IdentifierField({ declaredAs: 'integer', ...INVITATION.inviationId }) inviationId?: number;
    @IdentifierField({ declaredAs: 'integer', ...INVITATION.invitationId }) invitationId?: number;
    @PasswordField({ rules }) password!: string;
  }
  // The invitation's id has two spellings (rule users 27); one of them is required.
  return createShape(RegisterInvitationDto, (dto) => {
    const { email, organisationId, password, inviationId, invitationId } = dto;
    const id = inviationId ?? invitationId;
    if (id === undefined) throw ValidationFailed.on('inviationId', REQUIRED);
    if (invitationId !== undefined && invitationId !== id) {
      throw ValidationFailed.on(
        'invitationId',
        fieldError('MISMATCH', 'This value differs from inviationId.'),
      );
    }
    return { email, organisationId, invitationId: id, password };
  });
}
