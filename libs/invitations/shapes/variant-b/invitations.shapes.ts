import { ApiProperty } from '@nestjs/swagger';
import { listShape, replyShape } from '@app/core/wire/shapes';
import type { InvitationDetails, InvitationOrder } from '../../invitation.values';
import { InvitationsShapes } from '../invitations.shapes';
import { InvitationReplyB, invitationReplyB } from './invitation-replies';
import { invitationChangeB, invitationCreationB, registrationB } from './invitation-requests';

class InvitationAnswerB {
  @ApiProperty({ type: InvitationReplyB })
  invitation!: InvitationReplyB;
}

class InvitationListAnswerB {
  @ApiProperty({ type: [InvitationReplyB] })
  invitations!: InvitationReplyB[];
}

/** Invitations in Variant B. */
export class InvitationsShapesB extends InvitationsShapes {
  readonly creation = invitationCreationB;
  readonly change = invitationChangeB;
  readonly registration = registrationB;

  readonly single = replyShape(InvitationAnswerB, (invitation: InvitationDetails) => ({
    invitation: invitationReplyB(invitation),
  }));

  readonly list = listShape<InvitationDetails, InvitationListAnswerB, InvitationOrder>(
    InvitationListAnswerB,
    {
      orderBy: {
        id: 'id',
        firstName: 'firstName',
        lastName: 'lastName',
        email: 'email',
        status: 'acceptedThenExpired',
        language: 'language',
        fullname: 'fullName',
      },
      search: {},
      tag: false,
    },
    (page) => ({ invitations: page.items.map(invitationReplyB) }),
  );
}
