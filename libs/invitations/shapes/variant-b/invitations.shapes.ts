import { orderBy } from '@app/core/wire/order-by';
import { INVITATION_COLUMNS } from '../../invitation.columns';
import { listShape, responseShape } from '@app/core/wire/shapes';
import type { InvitationDetails, InvitationOrder } from '../../invitation.types';
import { InvitationsShapes } from '../invitations.shapes';
import { createInvitationShape } from './create-invitation.dto';
import {
  InvitationResponse,
  InvitationListResponse,
  SingleInvitationResponse,
  toInvitationResponse,
} from './invitation.response';
import { registerInvitationShape } from './register-invitation.dto';
import { updateInvitationShape } from './update-invitation.dto';

export class VariantInvitationsShapes extends InvitationsShapes {
  readonly create = createInvitationShape;
  readonly update = updateInvitationShape;
  readonly register = registerInvitationShape;

  readonly single = responseShape(SingleInvitationResponse, (invitation: InvitationDetails) => ({
    invitation: toInvitationResponse(invitation),
  }));

  readonly list = listShape<InvitationDetails, InvitationListResponse, InvitationOrder>(
    InvitationListResponse,
    {
      orderBy: orderBy(INVITATION_COLUMNS, InvitationResponse, {
        status: 'acceptedThenExpired',
        fullname: 'fullName',
      }),
      search: {},
    },
    (page) => ({ invitations: page.items.map(toInvitationResponse) }),
  );
}
