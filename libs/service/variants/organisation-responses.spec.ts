import 'reflect-metadata';
import {
  ORGANISATION_FIELDS,
  type OrganisationDetails,
  type OrganisationForReader,
} from '@app/people/organisations/organisation.columns';
import { OrganisationsShapes } from '@app/people/organisations/shapes/organisations.shapes';
import type { ResponseShape } from '@app/platform/dto/shapes';
import { type PerVariant, VARIANTS } from '../../../qa/variants';
import { boundShapes } from '../../../test/support/generators/bound-shapes';

type Field = keyof OrganisationDetails;

/** What a variant says nothing of: the interface description has it in no response. */
const NOT_SHOWN: PerVariant<readonly Field[]> = {
  A: [
    ...(['resellerId', 'invoiceDayMin', 'invoiceDayMax', 'commissionFactor', 'documentInterval'] as const),
    'beneathCount',
  ],
  B: [
    ...(['resellerId', 'parentId', 'externalId', 'organisationType', 'externalInfoRequired'] as const),
    ...(['nextInvoiceRun', 'required2fa', 'agencyMode', 'bundleProRata', 'testAccount'] as const),
    ...(['beforeFirstOrder', 'information', 'defaultAgreements', 'invoiceDayMin', 'invoiceDayMax'] as const),
    ...(['resellerKickback', 'defaultResellerKickback', 'paymentPeriod', 'commissionFactor'] as const),
    ...(['documentInterval', 'source1', 'source2', 'priceGroupId', 'pdfInvoice', 'peppolInvoicing'] as const),
    ...(['discount', 'isSoft', 'prePaymentRequired', 'beneathCount', 'typeDescription'] as const),
    'priceGroupDescription',
  ],
};

/** The fields of an organisation that a response is made from. */
function fieldsIn(shape: ResponseShape<OrganisationForReader>, readByAdmin = true): Set<string> {
  const used = new Set<string>();
  const organisation = new Proxy({} as OrganisationDetails, {
    get: (_, field) => {
      used.add(String(field));
      return field === 'users' ? [] : null;
    },
  });
  shape.toResponse({ organisation, readByAdmin });
  return used;
}

it.each(VARIANTS)('an organisation in Variant %s shows every field but those', (variant) => {
  const used = fieldsIn(boundShapes(OrganisationsShapes, variant).single);
  const left = Object.keys(ORGANISATION_FIELDS).filter((field) => !used.has(field));
  expect(left.sort()).toEqual([...NOT_SHOWN[variant]].sort());
});

it.each(VARIANTS)(
  'the users of an organisation in Variant %s are read for whom they are shown to',
  (variant) => {
    const { single, usersShownTo } = boundShapes(OrganisationsShapes, variant);
    expect(fieldsIn(single, false).has('users')).toBe(usersShownTo === 'all');
  },
);
