import { USER } from '@app/people/organisations/shapes/shared/organisation-parts.response';
import { fullNameOf } from '@app/people/users/user-names';
import { TextField } from '@app/platform/dto/field.decorators';
import { createShape, type EveryField, ResponseField, singleOf, updateShape } from '@app/platform/dto/shapes';
import { parseCsvList } from '@app/platform/dto/text-rules';
import { listOf } from '@app/platform/lists/list-request';
import { VARIANT_A_PASSWORD_RULES } from '@app/security/passwords/password-rules';
import type { Proven } from '@app/security/passwords/step-up-proof';
import { type Status, statusCategory } from '../../../organisations/status';
import { INVITATION_COLUMNS, type InvitationDetails } from '../../invitation.columns';
import type { InvitationInput, InvitationState } from '../../invitation.types';
import { InvitationsShapes } from '../invitations.shapes';
import {
  CreateInvitationDto as NewInvitationDto,
  registerInvitationShape,
  toInvitationInput,
  UpdateInvitationDto as InvitationChangesDto,
} from '../shared/invitation.dto';
import { INVITATION, OrganisationOfInvitationResponse } from '../shared/invitation-parts';

/** Body of `POST …/invitations`. */
class CreateInvitationDto extends NewInvitationDto {
  @TextField({ max: 1000, ...INVITATION.autoTeams }) autoTeams?: string;
}

/** Body of `PUT …/invitations/{invitationId}`. */
class UpdateInvitationDto extends InvitationChangesDto {
  @TextField({ max: 1000, ...INVITATION.autoTeams }) autoTeams?: string;
}

const toInput = (dto: UpdateInvitationDto): EveryField<InvitationInput & Proven> => ({
  ...toInvitationInput(dto),
  autoTeams: dto.autoTeams === undefined ? undefined : parseCsvList(dto.autoTeams),
});

/** The status word of each state. */
const STATUS_OF: Readonly<Record<InvitationState, Status>> = {
  open: 'ok',
  accepted: 'done',
  expired: 'closed',
};

/** An invitation. */
class InvitationResponse {
  @ResponseField(INVITATION.id) id!: number;
  @ResponseField(USER.firstName) firstName!: string;
  @ResponseField(USER.lastName) lastName!: string;
  @ResponseField(INVITATION.email) email!: string;
  @ResponseField({ enum: ['ok', 'done', 'closed'], ...INVITATION.status }) status!: string;
  @ResponseField(INVITATION.statusCategory) statusCategory!: string;
  @ResponseField(INVITATION.language) language!: string;

  @ResponseField({ type: OrganisationOfInvitationResponse, ...INVITATION.organisation })
  organisation!: OrganisationOfInvitationResponse;

  @ResponseField(USER.fullname) fullname!: string;
}

const toInvitationResponse = (invitation: InvitationDetails): InvitationResponse => ({
  id: invitation.id,
  firstName: invitation.firstName,
  lastName: invitation.lastName,
  email: invitation.email,
  status: STATUS_OF[invitation.state],
  statusCategory: statusCategory(STATUS_OF[invitation.state]),
  language: invitation.language,
  organisation: { id: invitation.organisationId },
  fullname: fullNameOf(invitation),
});

export class VariantInvitationsShapes extends InvitationsShapes {
  readonly create = createShape(CreateInvitationDto, toInput);
  readonly update = updateShape(UpdateInvitationDto, toInput);
  readonly register = registerInvitationShape(VARIANT_A_PASSWORD_RULES);

  readonly single = singleOf('invitation', InvitationResponse, toInvitationResponse);

  readonly list = listOf('invitations', INVITATION_COLUMNS, InvitationResponse, toInvitationResponse, {
    orders: { status: 'expiredThenAccepted', statusCategory: 'openFirst', fullname: 'fullName' },
  });
}
