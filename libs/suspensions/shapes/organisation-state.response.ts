import { ApiProperty } from '@nestjs/swagger';
import { ORGANISATION } from '@app/organisations/shapes/shared/organisation.properties';
import type { HoldingSuspension, OrganisationState } from '../suspension.types';

/** An organisation that is suspended. */
export class SuspendedOrganisationResponse {
  @ApiProperty(ORGANISATION.id)
  id!: number;

  @ApiProperty(ORGANISATION.name)
  name!: string;
}

/** Who suspended it. */
export class SuspenderResponse {
  @ApiProperty({ type: 'integer', description: 'Identifier of the user', example: 7 })
  id!: number;

  @ApiProperty({
    description: 'First and last name; empty once the user is deleted',
    example: 'Jan de Vries',
  })
  fullname!: string;
}

/** One suspension that concerns the organisation. */
export class SuspensionResponse {
  @ApiProperty({
    type: SuspendedOrganisationResponse,
    nullable: true,
    description:
      'The organisation that is suspended: this one, or one above it with all beneath; null where that is out of reach',
  })
  organisation!: SuspendedOrganisationResponse | null;

  @ApiProperty({ description: 'Whether the users of that organisation itself are refused', example: true })
  itself!: boolean;

  @ApiProperty({ description: 'Whether the users of all that lies beneath it are', example: false })
  withSubOrganisations!: boolean;

  @ApiProperty({
    description: 'Why; empty where none was given or the organisation is out of reach',
    example: 'Invoice 2026-117 is not paid',
  })
  reason!: string;

  @ApiProperty({ description: 'Since when, in Unix seconds', example: '1767225600' })
  since!: string;

  @ApiProperty({
    type: SuspenderResponse,
    nullable: true,
    description: 'Who suspended it, or changed that last; null where the organisation is out of reach',
  })
  by!: SuspenderResponse | null;
}

/** Whether the users of an organisation are let in. */
export class StateOfOrganisationResponse {
  @ApiProperty(ORGANISATION.id)
  id!: number;

  @ApiProperty(ORGANISATION.name)
  name!: string;

  @ApiProperty({
    enum: ['ok', 'deactivated'],
    description: 'deactivated while its users are refused, by whichever suspension',
  })
  status!: string;

  @ApiProperty({
    type: [SuspensionResponse],
    description: 'Its own suspension first, then those of organisations above it; empty without any',
  })
  suspensions!: SuspensionResponse[];
}

/** Response of `GET` and `POST …/actions`. */
export class OrganisationStateResponse {
  @ApiProperty({ type: StateOfOrganisationResponse, description: 'The state of the organisation' })
  state!: StateOfOrganisationResponse;
}

const toSuspensionResponse = (suspension: HoldingSuspension): SuspensionResponse => ({
  organisation: suspension.organisation && {
    id: suspension.organisation.id,
    name: suspension.organisation.name,
  },
  itself: suspension.itself,
  withSubOrganisations: suspension.beneath,
  reason: suspension.reason,
  since: String(suspension.since),
  by: suspension.by && { id: suspension.by.id, fullname: suspension.by.fullName },
});

export const toOrganisationStateResponse = (state: OrganisationState): OrganisationStateResponse => ({
  state: {
    id: state.id,
    name: state.name,
    status: state.suspended ? 'deactivated' : 'ok',
    suspensions: state.suspensions.map(toSuspensionResponse),
  },
});
