import { responseShape, type ListShape, type RequestShape, type ResponseShape } from '@app/core/wire/shapes';
import type { InvitationDetails, InvitationInput, InvitationOrder, Registration } from '../invitation.types';
import { AvailabilityResponse, toAvailabilityResponse } from './shared/availability.response';
import { RegistrationFormResponse, toRegistrationFormResponse } from './shared/registration-form.response';

/** The request and response shapes of invitations, in the running variant. */
export abstract class InvitationsShapes {
  /** Body of `POST …/invitations`. */
  abstract readonly create: RequestShape<InvitationInput>;
  /** Body of `PUT …/invitations/{invitationId}`. */
  abstract readonly update: RequestShape<InvitationInput>;
  /** Body of `POST /registerInvitation` with and without a token. */
  abstract readonly register: RequestShape<Registration>;
  /** Response of everything that gives one invitation. */
  abstract readonly single: ResponseShape<InvitationDetails>;
  /** Response of `GET …/invitations`. */
  abstract readonly list: ListShape<InvitationDetails, InvitationOrder>;
  /** Response of `GET …/invitations/{invitationId}/check`. */
  readonly availability = responseShape(AvailabilityResponse, toAvailabilityResponse);
  /** Response of `GET /registerInvitation/{token}`. */
  readonly form = responseShape(RegistrationFormResponse, toRegistrationFormResponse);
}
