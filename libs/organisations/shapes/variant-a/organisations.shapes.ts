import { ApiProperty } from '@nestjs/swagger';
import { listShape, replyShape } from '@app/core/wire/shapes';
import type {
  OrganisationForReader,
  OrganisationOrder,
  OrganisationSearch,
  SubOrganisation,
  SubOrganisationOrder,
} from '../../organisation.values';
import { OrganisationsShapes } from '../organisations.shapes';
import { OrganisationReplyA, organisationReplyA } from './organisation-replies';
import { changeA, creationA } from './organisation-requests';
import { SubOrganisationReplyA, subOrganisationReplyA } from './sub-organisation-replies';

class OrganisationAnswerA {
  @ApiProperty({ type: OrganisationReplyA })
  organisation!: OrganisationReplyA;
}

class OrganisationListAnswerA {
  @ApiProperty({ type: 'integer', description: 'How many organisations the whole list has' })
  total!: number;

  @ApiProperty({ type: [OrganisationReplyA] })
  organisations!: OrganisationReplyA[];
}

class SubOrganisationListAnswerA {
  @ApiProperty({ type: [SubOrganisationReplyA] })
  subOrganisations!: SubOrganisationReplyA[];
}

const single = replyShape(OrganisationAnswerA, (value: OrganisationForReader) => ({
  organisation: organisationReplyA(value),
}));

/** Organisations in Variant A. */
export class OrganisationsShapesA extends OrganisationsShapes {
  readonly creation = creationA;
  readonly change = changeA;
  readonly created = single;
  readonly single = single;

  readonly list = listShape<
    OrganisationForReader,
    OrganisationListAnswerA,
    OrganisationOrder,
    OrganisationSearch
  >(
    OrganisationListAnswerA,
    {
      orderBy: {
        id: 'id',
        name: 'name',
        taxNumber: 'taxNumber',
        mustPayTax: 'mustPayTax',
        remarksToPrintInvoice: 'remarksToPrintInvoice',
        externalId: 'externalId',
        updateEntitiesOnly: 'updateEntitiesOnly',
        preventDeactivation: 'preventDeactivation',
        parentOrganisation: 'parentId',
        externalInfoRequired: 'externalInfoRequired',
        nextInvoiceRun: 'nextInvoiceRun',
        required2fa: 'required2fa',
        agencyMode: 'agencyMode',
        bundleProRata: 'bundleProRata',
        testAccount: 'testAccount',
        beforeFirstOrder: 'beforeFirstOrder',
        street: 'street',
        houseNumber: 'houseNumber',
        zip: 'zip',
        city: 'city',
        paymentperiod: 'paymentPeriod',
        source1: 'source1',
        source2: 'source2',
        resellerKickback: 'resellerKickback',
        defaultResellerKickback: 'defaultResellerKickback',
        pdfInvoice: 'pdfInvoice',
        peppolInvoicing: 'peppolInvoicing',
        discount: 'discount',
        isSoft: 'isSoft',
        prePaymentRequired: 'prePaymentRequired',
        information: 'information',
      },
      search: {
        organisationType: 'organisationType',
        name: 'name',
        taxNumber: 'taxNumber',
        externalId: 'externalId',
        userFullname: 'userFullname',
        userEmail: 'userEmail',
      },
      tag: true,
    },
    (page) => ({ total: page.total ?? 0, organisations: page.items.map(organisationReplyA) }),
  );

  readonly subOrganisations = listShape<SubOrganisation, SubOrganisationListAnswerA, SubOrganisationOrder>(
    SubOrganisationListAnswerA,
    {
      orderBy: {
        id: 'id',
        name: 'name',
        street: 'street',
        houseNumber: 'houseNumber',
        zip: 'zip',
        city: 'city',
        parentOrganisation: 'parentId',
        invitationCount: 'openInvitations',
      },
      search: {},
      tag: true,
    },
    (page) => ({ subOrganisations: page.items.map(subOrganisationReplyA) }),
  );
}
