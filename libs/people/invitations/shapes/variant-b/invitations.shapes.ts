import { listOf } from '@app/platform/lists/list-request';
import { parseCsvList } from '@app/platform/dto/text-rules';
import { fullNameOf } from '@app/people/users/user-names';
import { IdentifierField, TextField, WordField } from '@app/platform/dto/field.decorators';
import { createShape, type EveryField, Shown, updateShape, singleOf } from '@app/platform/dto/shapes';
import { EmailField, PersonNameField } from '@app/people/users/shapes/user.decorators';
import { type Language, LANGUAGES } from '@app/people/users/user.types';
import type { InvitationInput, InvitationState } from '../../invitation.types';
import { INVITATION, OrganisationOfInvitationResponse, toRegistration } from '../shared/invitation-parts';
import { USER } from '@app/people/organisations/shapes/shared/organisation-parts.response';
import { PasswordField, VARIANT_B_PASSWORD_RULES } from '@app/security/passwords/password-rules';
import type { Status } from '../../../organisations/status';
import { INVITATION_COLUMNS, type InvitationDetails } from '../../invitation.columns';
import { InvitationsShapes } from '../invitations.shapes';

/** Body of `POST …/invitations`. */
class CreateInvitationDto {
  @EmailField(INVITATION.email.description) email!: string;
  @PersonNameField(USER.firstName) firstName!: string;
  @PersonNameField(USER.lastName) lastName!: string;
  @WordField({ words: LANGUAGES, default: 'nl', ...INVITATION.language }) language?: Language;
  @TextField({ max: 1000, ...USER.rolesAsText }) autoRoles?: string;
}

const toInvitationInput = (dto: CreateInvitationDto): EveryField<InvitationInput> => ({
  email: dto.email,
  firstName: dto.firstName,
  lastName: dto.lastName,
  language: dto.language,
  autoRoles: dto.autoRoles === undefined ? undefined : parseCsvList(dto.autoRoles),
  autoTeams: undefined,
});

/** Body of `PUT …/invitations/{invitationId}`. */
class UpdateInvitationDto {
  @EmailField(INVITATION.email.description) email!: string;
  @PersonNameField(USER.firstName) firstName!: string;
  @PersonNameField(USER.lastName) lastName!: string;
  @WordField({ words: LANGUAGES, ...INVITATION.language }) language?: Language;
  @TextField({ max: 1000, ...USER.rolesAsText }) autoRoles?: string;
}

/** Body of `POST /registerInvitation` with and without a token. */
class RegisterInvitationDto {
  @EmailField(INVITATION.email.description) email!: string;

  @IdentifierField({ declaredAs: 'integer', required: true, ...INVITATION.organisationId })
  organisationId!: number;

  @IdentifierField({ declaredAs: 'integer', ...INVITATION.inviationId }) inviationId?: number;
  @IdentifierField({ declaredAs: 'integer', ...INVITATION.invitationId }) invitationId?: number;
  @PasswordField({ rules: VARIANT_B_PASSWORD_RULES }) password!: string;
}

/** The word for the state of an invitation. */
const STATUS_OF: Readonly<Record<InvitationState, Status>> = {
  open: 'ok',
  accepted: 'accepted',
  expired: 'closed',
};

/** An invitation. */
class InvitationResponse {
  @Shown(INVITATION.id) id!: number;
  @Shown(USER.firstName) firstName!: string;
  @Shown(USER.lastName) lastName!: string;
  @Shown(INVITATION.email) email!: string;
  @Shown({ enum: ['ok', 'accepted', 'closed'], ...INVITATION.status }) status!: string;
  @Shown(INVITATION.language) language!: string;

  @Shown({ type: OrganisationOfInvitationResponse, ...INVITATION.organisation })
  organisation!: OrganisationOfInvitationResponse;

  @Shown(USER.fullname) fullname!: string;
}

const toInvitationResponse = (invitation: InvitationDetails): InvitationResponse => ({
  id: invitation.id,
  firstName: invitation.firstName,
  lastName: invitation.lastName,
  email: invitation.email,
  status: STATUS_OF[invitation.state],
  language: invitation.language,
  organisation: { id: invitation.organisationId },
  fullname: fullNameOf(invitation),
});

export class VariantInvitationsShapes extends InvitationsShapes {
  readonly create = createShape(CreateInvitationDto, toInvitationInput);
  readonly update = updateShape(UpdateInvitationDto, toInvitationInput);
  readonly register = createShape(RegisterInvitationDto, toRegistration);

  readonly single = singleOf('invitation', InvitationResponse, toInvitationResponse);

  readonly list = listOf('invitations', INVITATION_COLUMNS, InvitationResponse, toInvitationResponse, {
    orders: { status: 'acceptedThenExpired', fullname: 'fullName' },
  });
}
