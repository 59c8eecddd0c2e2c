import { type RequestShape, type ResponseShape, responseShape, singleOf } from '@app/platform/dto/shapes';
import type { ListShape } from '@app/platform/lists/list-request';
import type { Proven } from '@app/security/passwords/step-up-proof';
import type { InvitationDetails, InvitationOrder } from '../invitation.columns';
import type { InvitationInput, Registration } from '../invitation.types';
import { resendInvitationShape } from './shared/invitation.dto';
import {
  AvailabilityResponse,
  InvitationToRegisterResponse,
  toAvailabilityResponse,
  toInvitationToRegisterResponse,
} from './shared/invitation-parts';

/** The shapes of invitations in the running variant. */
export abstract class InvitationsShapes {
  /** Body of `POST …/invitations`. */
  abstract readonly create: RequestShape<InvitationInput & Proven>;
  /** Body of `PUT …/invitations/{invitationId}`. */
  abstract readonly update: RequestShape<InvitationInput & Proven>;
  /** Body of `POST …/invitations/{invitationId}/resend`. */
  readonly resend = resendInvitationShape;
  /** Body of `POST /registerInvitation` with and without a token. */
  abstract readonly register: RequestShape<Registration>;
  /** Response with one invitation. */
  abstract readonly single: ResponseShape<InvitationDetails>;
  /** Response of `GET …/invitations`. */
  abstract readonly list: ListShape<InvitationDetails, InvitationOrder>;
  /** Response of `GET …/invitations/{invitationId}/check`. */
  readonly availability = responseShape(AvailabilityResponse, toAvailabilityResponse);
  /** Response of `GET /registerInvitation/{token}`. */
  readonly form = singleOf('invitation', InvitationToRegisterResponse, toInvitationToRegisterResponse, {
    as: 'RegistrationFormResponse',
    description: 'What the registration form shows and sends',
  });
}
