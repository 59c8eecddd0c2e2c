import { ApiProperty } from '@nestjs/swagger';
import { statusCategory, type Status } from '@app/core/status/status';
import type { InvitationDetails, InvitationState } from '../../invitation.values';
import { fullNameOf, OrganisationOfInvitationReply } from '../parts';

/** The words of Variant A for where an invitation stands. */
const STATUS_OF: Readonly<Record<InvitationState, Status>> = {
  open: 'ok',
  accepted: 'done',
  expired: 'closed',
};

/** An invitation in Variant A. */
export class InvitationReplyA {
  @ApiProperty({ type: 'integer', example: 56 })
  id!: number;

  @ApiProperty({ example: 'Jan' })
  firstName!: string;

  @ApiProperty({ example: 'de Vries' })
  lastName!: string;

  @ApiProperty({ example: 'jan@example.nl' })
  email!: string;

  @ApiProperty({ enum: ['ok', 'done', 'closed'], description: 'Open, used, expired' })
  status!: string;

  @ApiProperty({ enum: ['green', 'grey'] })
  statusCategory!: string;

  @ApiProperty({ enum: ['nl', 'en', 'fr'] })
  language!: string;

  @ApiProperty({ type: OrganisationOfInvitationReply })
  organisation!: OrganisationOfInvitationReply;

  @ApiProperty({ example: 'Jan de Vries' })
  fullname!: string;
}

export const invitationReplyA = (invitation: InvitationDetails): InvitationReplyA => ({
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
