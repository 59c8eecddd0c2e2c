import { ValidationFailed } from '@app/core/errors/api-error';
import { fault } from '@app/core/errors/fault';
import { REQUIRED } from '@app/core/wire/read-body';
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
  if (id === undefined) throw ValidationFailed.on('inviationId', REQUIRED);
  if (invitationId !== undefined && invitationId !== id) {
    throw ValidationFailed.on('invitationId', fault('MISMATCH', 'This value differs from inviationId.'));
  }
  return { email, organisationId, invitationId: id, password };
}
