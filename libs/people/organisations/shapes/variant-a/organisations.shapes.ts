import { responseShape, Shown } from '@app/platform/dto/shapes';
import { orderBy } from '@app/platform/lists/columns';
import {
  ORGANISATION_COLUMNS,
  type OrganisationForReader,
  type OrganisationOrder,
  SUB_ORGANISATION_COLUMNS,
  type SubOrganisation,
  type SubOrganisationOrder,
} from '../../organisation.columns';
import type { OrganisationSearch } from '../../organisation.types';
import { OrganisationsShapes } from '../organisations.shapes';
import {
  OrganisationResponse,
  SubOrganisationResponse,
  toOrganisationResponse,
  toSubOrganisationResponse,
} from './organisation.response';
import { createOrganisationShape, updateOrganisationShape } from './organisation.dto';
import { ORGANISATION } from '../shared/organisation-parts.response';
import { listShape } from '@app/platform/lists/list-request';

class SingleOrganisationResponse {
  @Shown({ type: OrganisationResponse, description: 'The organisation' }) organisation!: OrganisationResponse;
}

class OrganisationListResponse {
  @Shown(ORGANISATION.total) total!: number;

  @Shown({ type: [OrganisationResponse], description: 'The organisations of the page' })
  organisations!: OrganisationResponse[];
}

class SubOrganisationListResponse {
  @Shown({ type: [SubOrganisationResponse], description: 'The organisations of the page' })
  subOrganisations!: SubOrganisationResponse[];
}

/** Organisations in this variant. */
export class VariantOrganisationsShapes extends OrganisationsShapes {
  readonly usersShownTo = 'admin';
  readonly create = createOrganisationShape;
  readonly update = updateOrganisationShape;
  readonly single = responseShape(SingleOrganisationResponse, (value: OrganisationForReader) => ({
    organisation: toOrganisationResponse(value),
  }));
  readonly created = this.single;

  readonly list = listShape<
    OrganisationForReader,
    OrganisationListResponse,
    OrganisationOrder,
    OrganisationSearch
  >(
    OrganisationListResponse,
    {
      orderBy: orderBy(
        ORGANISATION_COLUMNS,
        OrganisationResponse,
        { parentOrganisation: 'parentId', paymentperiod: 'paymentPeriod' },
        {
          after: {
            externalId: 'remarksToPrintInvoice',
            paymentperiod: 'city',
            resellerKickback: 'source2',
            defaultResellerKickback: 'resellerKickback',
            discount: 'peppolInvoicing',
            prePaymentRequired: 'isSoft',
          },
        },
      ),
      search: {
        organisationType: 'organisationType',
        name: 'name',
        taxNumber: 'taxNumber',
        externalId: 'externalId',
        userFullname: 'userFullname',
        userEmail: 'userEmail',
      },
      exact: { organisationType: 'The identifier of the organisation type, exactly: 1, 2 or 3' },
    },
    (page) => ({ total: page.total ?? 0, organisations: page.items.map(toOrganisationResponse) }),
  );

  readonly subOrganisations = listShape<SubOrganisation, SubOrganisationListResponse, SubOrganisationOrder>(
    SubOrganisationListResponse,
    {
      orderBy: orderBy(SUB_ORGANISATION_COLUMNS, SubOrganisationResponse, {
        parentOrganisation: 'parentId',
        invitationCount: 'openInvitations',
      }),
      search: {},
    },
    (page) => ({ subOrganisations: page.items.map(toSubOrganisationResponse) }),
  );
}
