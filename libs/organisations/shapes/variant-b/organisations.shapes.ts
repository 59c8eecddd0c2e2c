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
import {
  OrganisationReplyB,
  organisationReplyB,
  SingleOrganisationReplyB,
  singleOrganisationReplyB,
} from './organisation-replies';
import { changeB, creationB } from './organisation-requests';
import { SubOrganisationReplyB, subOrganisationReplyB } from './sub-organisation-replies';

class CreatedOrganisationAnswerB {
  @ApiProperty({ type: OrganisationReplyB })
  organisation!: OrganisationReplyB;
}

class OrganisationAnswerB {
  @ApiProperty({ type: SingleOrganisationReplyB })
  organisation!: SingleOrganisationReplyB;
}

class OrganisationListAnswerB {
  @ApiProperty({ type: 'integer', description: 'How many organisations the whole list has' })
  total!: number;

  @ApiProperty({ type: [OrganisationReplyB] })
  organisations!: OrganisationReplyB[];
}

class SubOrganisationListAnswerB {
  @ApiProperty({ type: [SubOrganisationReplyB] })
  subOrganisations!: SubOrganisationReplyB[];
}

/** Organisations in Variant B. */
export class OrganisationsShapesB extends OrganisationsShapes {
  readonly creation = creationB;
  readonly change = changeB;

  readonly created = replyShape(CreatedOrganisationAnswerB, ({ organisation }: OrganisationForReader) => ({
    organisation: organisationReplyB(organisation),
  }));

  readonly single = replyShape(OrganisationAnswerB, ({ organisation }: OrganisationForReader) => ({
    organisation: singleOrganisationReplyB(organisation),
  }));

  readonly list = listShape<
    OrganisationForReader,
    OrganisationListAnswerB,
    OrganisationOrder,
    OrganisationSearch
  >(
    OrganisationListAnswerB,
    {
      orderBy: {
        id: 'id',
        name: 'name',
        taxNumber: 'taxNumber',
        mustPayTax: 'mustPayTax',
        street: 'street',
        houseNumber: 'houseNumber',
        zip: 'zip',
        city: 'city',
        remarksToPrintInvoice: 'remarksToPrintInvoice',
        updateEntitiesOnly: 'updateEntitiesOnly',
      },
      search: {},
      tag: false,
    },
    (page) => ({
      total: page.total ?? 0,
      organisations: page.items.map(({ organisation }) => organisationReplyB(organisation)),
    }),
  );

  readonly subOrganisations = listShape<SubOrganisation, SubOrganisationListAnswerB, SubOrganisationOrder>(
    SubOrganisationListAnswerB,
    {
      orderBy: {
        id: 'id',
        name: 'name',
        street: 'street',
        houseNumber: 'houseNumber',
        zip: 'zip',
        city: 'city',
      },
      search: {},
      tag: false,
    },
    (page) => ({ subOrganisations: page.items.map(subOrganisationReplyB) }),
  );
}
