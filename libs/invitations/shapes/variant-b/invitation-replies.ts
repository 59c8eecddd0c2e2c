import { ApiProperty } from '@nestjs/swagger';
import type { Status } from '@app/core/status/status';
import type { InvitationDetails, InvitationState } from '../../invitation.values';
import { fullNameOf, OrganisationOfInvitationReply } from '../parts';

/** The words of Variant B for where an invitation stands. */
const STATUS_OF: Readonly<Record<InvitationState, Status>> = {
  open: 'ok',
  accepted: 'accepted',
  expired: 'closed',
};

/** An invitation in Variant B. */
export class InvitationReplyB {
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

  @ApiProperty({ type: OrganisationOfInvitationReply })
  organisation!: OrganisationOfInvitationReply;

  @ApiProperty({ example: 'Jan de Vries' })
  fullname!: string;
}

export const invitationReplyB = (invitation: InvitationDetails): InvitationReplyB => ({
  id: invitation.id,
  firstName: invitation.firstName,
  lastName: invitation.lastName,
  email: invitation.email,
  status: STATUS_OF[invitation.state],
  language: invitation.language,
  organisation: { id: invitation.organisationId },
  fullname: fullNameOf(invitation),
});
