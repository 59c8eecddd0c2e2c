import { singleOf } from '@app/platform/dto/shapes';
import { listOf } from '@app/platform/lists/list-request';
import { ORGANISATION_COLUMNS, SUB_ORGANISATION_COLUMNS } from '../../organisation.columns';
import { OrganisationsShapes } from '../organisations.shapes';
import { ORGANISATION } from '../shared/organisation-parts.response';
import { createOrganisationShape, updateOrganisationShape } from './organisation.dto';
import {
  OrganisationDetailsResponse,
  OrganisationResponse,
  SubOrganisationResponse,
  toOrganisationDetailsResponse,
  toOrganisationResponse,
  toSubOrganisationResponse,
} from './organisation.response';

/** Organisations in this variant. */
export class VariantOrganisationsShapes extends OrganisationsShapes {
  readonly usersShownTo = 'all';
  readonly create = createOrganisationShape;
  readonly update = updateOrganisationShape;
  readonly created = singleOf('organisation', OrganisationResponse, toOrganisationResponse, {
    as: 'CreatedOrganisationResponse',
  });
  readonly single = singleOf('organisation', OrganisationDetailsResponse, toOrganisationDetailsResponse, {
    as: 'SingleOrganisationResponse',
  });

  readonly list = listOf(
    'organisations',
    ORGANISATION_COLUMNS,
    OrganisationResponse,
    toOrganisationResponse,
    { orders: {}, total: ORGANISATION.total },
  );

  readonly subOrganisations = listOf(
    'subOrganisations',
    SUB_ORGANISATION_COLUMNS,
    SubOrganisationResponse,
    toSubOrganisationResponse,
    { orders: {}, description: 'The organisations of the page' },
  );
}
