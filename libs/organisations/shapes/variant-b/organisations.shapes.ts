import { ApiProperty } from '@nestjs/swagger';
import { orderBy } from '@app/core/wire/order-by';
import { listShape, responseShape } from '@app/core/wire/shapes';
import { ORGANISATION_COLUMNS, SUB_ORGANISATION_COLUMNS } from '../../organisation.columns';
import type {
  OrganisationForReader,
  OrganisationOrder,
  OrganisationSearch,
  SubOrganisation,
  SubOrganisationOrder,
} from '../../organisation.types';
import { OrganisationsShapes } from '../organisations.shapes';
import { OrganisationDetailsResponse, toOrganisationDetailsResponse } from './organisation-details.response';
import { OrganisationResponse, toOrganisationResponse } from './organisation.response';
import { createOrganisationShape } from './create-organisation.dto';
import { updateOrganisationShape } from './update-organisation.dto';
import { SubOrganisationResponse, toSubOrganisationResponse } from './sub-organisation.response';
import { ORGANISATION } from '../shared/organisation.properties';

class CreatedOrganisationResponse {
  @ApiProperty({ type: OrganisationResponse, description: 'The organisation' })
  organisation!: OrganisationResponse;
}

class SingleOrganisationResponse {
  @ApiProperty({ type: OrganisationDetailsResponse, description: 'The organisation' })
  organisation!: OrganisationDetailsResponse;
}

class OrganisationListResponse {
  @ApiProperty(ORGANISATION.total)
  total!: number;

  @ApiProperty({ type: [OrganisationResponse], description: 'The organisations of the page' })
  organisations!: OrganisationResponse[];
}

class SubOrganisationListResponse {
  @ApiProperty({ type: [SubOrganisationResponse], description: 'The organisations of the page' })
  subOrganisations!: SubOrganisationResponse[];
}

/** Organisations in this variant. */
export class VariantOrganisationsShapes extends OrganisationsShapes {
  readonly usersShownTo = 'all';
  readonly create = createOrganisationShape;
  readonly update = updateOrganisationShape;
  readonly created = responseShape(CreatedOrganisationResponse, (value: OrganisationForReader) => ({
    organisation: toOrganisationResponse(value),
  }));
  readonly single = responseShape(SingleOrganisationResponse, (value: OrganisationForReader) => ({
    organisation: toOrganisationDetailsResponse(value),
  }));

  readonly list = listShape<
    OrganisationForReader,
    OrganisationListResponse,
    OrganisationOrder,
    OrganisationSearch
  >(
    OrganisationListResponse,
    {
      orderBy: orderBy(ORGANISATION_COLUMNS, OrganisationResponse, {}),
      search: {},
    },
    (page) => ({ total: page.total ?? 0, organisations: page.items.map(toOrganisationResponse) }),
  );

  readonly subOrganisations = listShape<SubOrganisation, SubOrganisationListResponse, SubOrganisationOrder>(
    SubOrganisationListResponse,
    {
      orderBy: orderBy(SUB_ORGANISATION_COLUMNS, SubOrganisationResponse, {}),
      search: {},
    },
    (page) => ({ subOrganisations: page.items.map(toSubOrganisationResponse) }),
  );
}
