import { ApiProperty } from '@nestjs/swagger';

/** Response of `GET …/invitations/{invitationId}/check`. */
export class AvailabilityResponse {
  @ApiProperty({ description: 'Whether the invitation can still be registered with' })
  available!: boolean;
}

export const toAvailabilityResponse = (available: boolean): AvailabilityResponse => ({ available });
