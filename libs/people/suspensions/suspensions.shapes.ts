import { ORGANISATION } from '@app/people/organisations/shapes/shared/organisation-parts.response';
import { BooleanField, TextField, WordField } from '@app/platform/dto/field.decorators';
import { createShape, type EveryField, ResponseField, singleOf } from '@app/platform/dto/shapes';
import type { OrganisationAction } from './suspension.types';

/** Body of `POST /organisations/{organisationId}/actions`. */
class OrganisationActionDto {
  @WordField({
    words: ['enable', 'disable'],
    required: true,
    description:
      'Disabling refuses logins, API keys, recovery and registration; enabling lets all in as they were',
  })
  type!: OrganisationAction['type'];

  @TextField({
    max: 1000,
    trim: true,
    description: 'Why, for managers and contacts of the organisation; empty where it is left out',
    example: 'Invoice 2026-117 is not paid',
  })
  reason?: string;

  @BooleanField({
    description:
      'Whether it is done to all that lies beneath too. Left out: disabling leaves that as it is, enabling ends what disabling did to it',
  })
  withSubOrganisations?: boolean;
}

const organisationActionShape = createShape(OrganisationActionDto, (dto): EveryField<OrganisationAction> => ({
  type: dto.type,
  reason: dto.reason ?? '',
  withSubOrganisations: dto.withSubOrganisations,
}));

class SuspendedOrganisationResponse {
  @ResponseField(ORGANISATION.id) id!: number;
  @ResponseField(ORGANISATION.name) name!: string;
}

class SuspenderResponse {
  @ResponseField({ type: 'integer', description: 'Identifier of the user', example: 7 }) id!: number;

  @ResponseField({
    description: 'First and last name; empty once the user is deleted',
    example: 'Jan de Vries',
  })
  fullname!: string;
}

/** A suspension of the organisation or of one above it. */
class SuspensionResponse {
  @ResponseField({
    type: SuspendedOrganisationResponse,
    nullable: true,
    description:
      'The organisation that is suspended: this one, or one above it with all beneath; null where that is out of reach',
  })
  organisation!: SuspendedOrganisationResponse | null;

  @ResponseField({
    type: 'boolean',
    description: 'Whether the users of that organisation itself are refused',
    example: true,
  })
  itself!: boolean;

  @ResponseField({
    type: 'boolean',
    description: 'Whether the users of all that lies beneath it are',
    example: false,
  })
  withSubOrganisations!: boolean;

  @ResponseField({
    description: 'Why; empty where none was given or the organisation is out of reach',
    example: 'Invoice 2026-117 is not paid',
  })
  reason!: string;

  @ResponseField({ description: 'Since when, in Unix seconds', example: '1767225600' }) since!: string;

  @ResponseField({
    type: SuspenderResponse,
    nullable: true,
    description: 'Who suspended it, or changed that last; null where the organisation is out of reach',
  })
  by!: SuspenderResponse | null;
}

/** The state of an organisation and its suspensions, exactly as the statement reads it. */
export class StateOfOrganisationResponse {
  @ResponseField(ORGANISATION.id) id!: number;
  @ResponseField(ORGANISATION.name) name!: string;

  @ResponseField({
    enum: ['ok', 'deactivated'],
    description: 'deactivated while its users are refused, by whichever suspension',
  })
  status!: string;

  @ResponseField({
    type: [SuspensionResponse],
    description: 'Its own suspension first, then those of organisations above it; empty without any',
  })
  suspensions!: SuspensionResponse[];
}

/** Requests and responses of suspensions, equal in both variants. */
export class SuspensionsShapes {
  readonly action = organisationActionShape;
  readonly state = singleOf(
    'state',
    StateOfOrganisationResponse,
    (state: StateOfOrganisationResponse) => state,
    { as: 'OrganisationStateResponse', description: 'The state of the organisation' },
  );
}
