import { ApiProperty } from '@nestjs/swagger';
import type { Status } from '@app/core/status/status';
import { fullNameOf } from '@app/core/text/person-name';
import type { InvitationDetails, InvitationState } from '../../invitation.types';
import { OrganisationOfInvitationResponse } from '../shared/organisation-of-invitation.response';

/** The word for where an invitation stands. */
const STATUS_OF: Readonly<Record<InvitationState, Status>> = {
  open: 'ok',
  accepted: 'accepted',
  expired: 'closed',
};

/** An invitation. */
export class InvitationResponse {
  @ApiProperty({ type: 'integer', example: 56 })
  id!: number;

  @ApiProperty({ example: 'Jan' })
  firstName!: string;

  @ApiProperty({ example: 'de Vries' })
  lastName!: string;

  @ApiProperty({ example: 'jan@example.nl' })
  email!: string;

  @ApiProperty({ enum: ['ok', 'accepted', 'closed'], description: 'Open, used, expired' })
  status!: string;

  @ApiProperty({ enum: ['nl', 'en', 'fr'] })
  language!: string;

  @ApiProperty({ type: OrganisationOfInvitationResponse })
  organisation!: OrganisationOfInvitationResponse;

  @ApiProperty({ example: 'Jan de Vries' })
  fullname!: string;
}

/** Response of everything that gives one invitation. */
export class SingleInvitationResponse {
  @ApiProperty({ type: InvitationResponse })
  invitation!: InvitationResponse;
}

/** Response of `GET …/invitations`. */
export class InvitationListResponse {
  @ApiProperty({ type: [InvitationResponse] })
  invitations!: InvitationResponse[];
}

export const toInvitationResponse = (invitation: InvitationDetails): InvitationResponse => ({
  id: invitation.id,
  firstName: invitation.firstName,
  lastName: invitation.lastName,
  email: invitation.email,
  status: STATUS_OF[invitation.state],
  language: invitation.language,
  organisation: { id: invitation.organisationId },
  fullname: fullNameOf(invitation),
});
