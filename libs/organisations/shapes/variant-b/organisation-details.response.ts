import { ApiProperty } from '@nestjs/swagger';
import type { OrganisationForReader } from '../../organisation.types';
import { OrganisationResponse, toOrganisationResponse } from './organisation.response';
import { ORGANISATION } from '../shared/organisation.properties';

/** An organisation, read by itself. */
export class OrganisationDetailsResponse extends OrganisationResponse {
  @ApiProperty(ORGANISATION.preventDeactivation)
  preventDeactivation!: boolean;
}

export const toOrganisationDetailsResponse = (value: OrganisationForReader): OrganisationDetailsResponse => ({
  ...toOrganisationResponse(value),
  preventDeactivation: value.organisation.preventDeactivation,
});
