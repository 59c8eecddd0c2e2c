import { ApiProperty } from '@nestjs/swagger';
import { EMAIL_MAX_LENGTH, isPlainEmailAddress } from '@app/core/text/email-address';
import { TextField } from '@app/core/wire/fields';
import { replyShape } from '@app/core/wire/shapes';
import { ValidationFailed } from '@app/core/errors/api-error';
import type { InvitationDetails, Registration } from '../invitation.values';

/** The organisation of an invitation, the same in both variants. */
export class OrganisationOfInvitationReply {
  @ApiProperty({ type: 'integer', example: 12 })
  id!: number;
}

class AvailabilityAnswer {
  @ApiProperty({ description: 'Whether the invitation can still be registered with' })
  available!: boolean;
}

/** Answer of `GET …/invitations/{invitationId}/check`, the same in both variants. */
export const availabilityShape = replyShape(AvailabilityAnswer, (available: boolean) => ({ available }));

/** The address that is invited, in bodies of both variants. */
export const EmailField = (): PropertyDecorator =>
  TextField({
    max: EMAIL_MAX_LENGTH,
    required: true,
    format: 'email',
    example: 'jan@example.nl',
    check: (text) => (isPlainEmailAddress(text) ? undefined : 'This value should be an e-mail address.'),
  });

interface RegistrationBody {
  email: string;
  organisationId: number;
  inviationId?: number;
  invitationId?: number;
  password: string;
}

/** Both spellings of the invitation's id are understood (decisions.md section 5); one of them is required. */
export function registrationOf(dto: RegistrationBody): Registration {
  const { email, organisationId, password, inviationId, invitationId } = dto;
  const id = inviationId ?? invitationId;
  if (id === undefined) throw ValidationFailed.on('inviationId', 'This value should not be blank.');
  if (invitationId !== undefined && invitationId !== id) {
    throw ValidationFailed.on('invitationId', 'This value differs from inviationId.');
  }
  return { email, organisationId, invitationId: id, password };
}

export const fullNameOf = (invitation: Pick<InvitationDetails, 'firstName' | 'lastName'>): string =>
  `${invitation.firstName} ${invitation.lastName}`;
