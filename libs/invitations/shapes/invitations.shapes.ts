import type { ListShape, ReplyShape, RequestShape } from '@app/core/wire/shapes';
import type { InvitationDetails, InvitationInput, InvitationOrder, Registration } from '../invitation.values';
import { availabilityShape } from './parts';

/** The request and response shapes of invitations, in the running variant. */
export abstract class InvitationsShapes {
  /** Body of `POST …/invitations`. */
  abstract readonly creation: RequestShape<InvitationInput>;
  /** Body of `PUT …/invitations/{invitationId}`. */
  abstract readonly change: RequestShape<InvitationInput>;
  /** Body of `POST /registerInvitation` with and without a token. */
  abstract readonly registration: RequestShape<Registration>;
  /** Answer of everything that gives one invitation. */
  abstract readonly single: ReplyShape<InvitationDetails>;
  /** Answer of `GET …/invitations`. */
  abstract readonly list: ListShape<InvitationDetails, InvitationOrder>;
  /** Answer of `GET …/invitations/{invitationId}/check`. */
  readonly availability = availabilityShape;
}
