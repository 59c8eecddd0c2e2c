import { ApiProperty } from '@nestjs/swagger';
import { statusCategory, type Status } from '@app/core/status/status';
import { fullNameOf } from '@app/core/text/person-name';
import type { InvitationDetails, InvitationState } from '../../invitation.types';
import { OrganisationOfInvitationResponse } from '../shared/organisation-of-invitation.response';
import { USER } from '@app/organisations/shapes/shared/user.properties';
import { INVITATION } from '../shared/invitation.properties';

/** The word for where an invitation stands. */
const STATUS_OF: Readonly<Record<InvitationState, Status>> = {
  open: 'ok',
  accepted: 'done',
  expired: 'closed',
};

/** An invitation. */
export class InvitationResponse {
  @ApiProperty(INVITATION.id)
  id!: number;

  @ApiProperty(USER.firstName)
  firstName!: string;

  @ApiProperty(USER.lastName)
  lastName!: string;

  @ApiProperty(INVITATION.email)
  email!: string;

  @ApiProperty({ enum: ['ok', 'done', 'closed'], ...INVITATION.status })
  status!: string;

  @ApiProperty(INVITATION.statusCategory)
  statusCategory!: string;

  @ApiProperty(INVITATION.language)
  language!: string;

  @ApiProperty({ type: OrganisationOfInvitationResponse, ...INVITATION.organisation })
  organisation!: OrganisationOfInvitationResponse;

  @ApiProperty(USER.fullname)
  fullname!: string;
}

/** Response of everything that gives one invitation. */
export class SingleInvitationResponse {
  @ApiProperty({ type: InvitationResponse, description: 'The invitation' })
  invitation!: InvitationResponse;
}

/** Response of `GET …/invitations`. */
export class InvitationListResponse {
  @ApiProperty({ type: [InvitationResponse], description: 'The invitations of the page' })
  invitations!: InvitationResponse[];
}

export const toInvitationResponse = (invitation: InvitationDetails): InvitationResponse => ({
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
