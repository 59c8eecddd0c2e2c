import { ApiProperty } from '@nestjs/swagger';
import { listShape, replyShape } from '@app/core/wire/shapes';
import type { InvitationDetails, InvitationOrder } from '../../invitation.values';
import { InvitationsShapes } from '../invitations.shapes';
import { InvitationReplyA, invitationReplyA } from './invitation-replies';
import { invitationChangeA, invitationCreationA, registrationA } from './invitation-requests';

class InvitationAnswerA {
  @ApiProperty({ type: InvitationReplyA })
  invitation!: InvitationReplyA;
}

class InvitationListAnswerA {
  @ApiProperty({ type: [InvitationReplyA] })
  invitations!: InvitationReplyA[];
}

/** Invitations in Variant A. */
export class InvitationsShapesA extends InvitationsShapes {
  readonly creation = invitationCreationA;
  readonly change = invitationChangeA;
  readonly registration = registrationA;

  readonly single = replyShape(InvitationAnswerA, (invitation: InvitationDetails) => ({
    invitation: invitationReplyA(invitation),
  }));

  readonly list = listShape<InvitationDetails, InvitationListAnswerA, InvitationOrder>(
    InvitationListAnswerA,
    {
      orderBy: {
        id: 'id',
        firstName: 'firstName',
        lastName: 'lastName',
        email: 'email',
        status: 'expiredThenAccepted',
        statusCategory: 'openFirst',
        language: 'language',
        fullname: 'fullName',
      },
      search: {},
      tag: true,
    },
    (page) => ({ invitations: page.items.map(invitationReplyA) }),
  );
}
