import { singleOf } from '@app/platform/dto/shapes';
import { listOf } from '@app/platform/lists/list-request';
import { ORGANISATION_COLUMNS, SUB_ORGANISATION_COLUMNS } from '../../organisation.columns';
import { OrganisationsShapes } from '../organisations.shapes';
import { ORGANISATION } from '../shared/organisation-parts.response';
import { createOrganisationShape, updateOrganisationShape } from './organisation.dto';
import {
  OrganisationResponse,
  SubOrganisationResponse,
  toOrganisationResponse,
  toSubOrganisationResponse,
} from './organisation.response';

/** Organisations in this variant. */
export class VariantOrganisationsShapes extends OrganisationsShapes {
  readonly usersShownTo = 'admin';
  readonly create = createOrganisationShape;
  readonly update = updateOrganisationShape;
  readonly single = singleOf('organisation', OrganisationResponse, toOrganisationResponse);
  readonly created = this.single;

  readonly list = listOf(
    'organisations',
    ORGANISATION_COLUMNS,
    OrganisationResponse,
    toOrganisationResponse,
    {
      orders: { parentOrganisation: 'parentId', paymentperiod: 'paymentPeriod' },
      after: {
        externalId: 'remarksToPrintInvoice',
        paymentperiod: 'city',
        resellerKickback: 'source2',
        defaultResellerKickback: 'resellerKickback',
        discount: 'peppolInvoicing',
        prePaymentRequired: 'isSoft',
      },
      search: {
        organisationType: 'organisationType',
        name: 'name',
        taxNumber: 'taxNumber',
        externalId: 'externalId',
        userFullname: 'userFullname',
        userEmail: 'userEmail',
      },
      exact: { organisationType: 'The identifier of the organisation type, exactly: 1, 2 or 3' },
      total: ORGANISATION.total,
    },
  );

  readonly subOrganisations = listOf(
    'subOrganisations',
    SUB_ORGANISATION_COLUMNS,
    SubOrganisationResponse,
    toSubOrganisationResponse,
    {
      orders: { parentOrganisation: 'parentId', invitationCount: 'openInvitations' },
      description: 'The organisations of the page',
    },
  );
}
