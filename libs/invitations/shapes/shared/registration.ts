import { ValidationFailed } from '@app/core/errors/api-error';
import type { Registration } from '../../invitation.types';

interface RegisterInvitationFields {
  email: string;
  organisationId: number;
  inviationId?: number;
  invitationId?: number;
  password: string;
}

/** Both spellings of the invitation's id are understood (decisions.md section 5); one of them is required. */
export function toRegistration(dto: RegisterInvitationFields): Registration {
  const { email, organisationId, password, inviationId, invitationId } = dto;
  const id = inviationId ?? invitationId;
  if (id === undefined) throw ValidationFailed.on('inviationId', 'This value should not be blank.');
  if (invitationId !== undefined && invitationId !== id) {
    throw ValidationFailed.on('invitationId', 'This value differs from inviationId.');
  }
  return { email, organisationId, invitationId: id, password };
}
