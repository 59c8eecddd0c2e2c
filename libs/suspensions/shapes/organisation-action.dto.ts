import { BooleanField, TextField, WordField } from '@app/core/wire/field.decorators';
import { createShape, type EveryField } from '@app/core/wire/shapes';
import type { OrganisationAction } from '../suspension.types';

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

export const organisationActionShape = createShape(
  OrganisationActionDto,
  (dto): EveryField<OrganisationAction> => ({
    type: dto.type,
    reason: dto.reason ?? '',
    withSubOrganisations: dto.withSubOrganisations,
  }),
);
