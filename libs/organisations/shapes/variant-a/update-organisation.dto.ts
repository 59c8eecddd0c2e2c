import {
  BooleanField,
  IdentifierField,
  IntegerChoiceField,
  IntegerField,
  TextField,
} from '@app/core/wire/field.decorators';
import { updateShape, type EveryField } from '@app/core/wire/shapes';
import { TimestampField } from '@app/core/wire/timestamp-field.decorator';
import { describeWriter } from '../../organisation-field-rights';
import type { OrganisationChanges } from '../../organisation.types';
import { CountryField } from '../organisation.decorators';
import { AgreementsField } from './billing.decorators';

/** Body of `PUT` and `PATCH /organisations/{organisationId}`. */
class UpdateOrganisationDto {
  @TextField({ max: 255, required: true, example: 'Bakkerij de Vries' })
  name!: string;

  @TextField({ max: 64, required: true, example: 'NL001234567B01' })
  taxNumber!: string;

  @IdentifierField({ declaredAs: 'integer', nullable: true })
  resellerOrganisation?: number | null;

  @TextField({ max: 255 })
  street?: string;

  @TextField({ max: 32, zeroIsAbsent: true })
  houseNumber?: string;

  @TextField({ max: 32, zeroIsAbsent: true })
  zip?: string;

  @TextField({ max: 255 })
  city?: string;

  @CountryField({ nullable: true, description: 'Country id' })
  country?: string | null;

  @IntegerField({ nullable: true, description: describeWriter('resellerKickback', 'commission, 100 = 1%') })
  resellerKickback?: number | null;

  @IntegerField({
    nullable: true,
    description: describeWriter('defaultResellerKickback', 'commission, 100 = 1%'),
  })
  defaultResellerKickback?: number | null;

  @IntegerChoiceField({
    choices: [0, 30, 60, 90],
    description: describeWriter('paymentPeriod', 'days; 30 at creation'),
  })
  paymentperiod?: number;

  @IntegerField({ nullable: true, description: describeWriter('commissionFactor') })
  commissionFactor?: number | null;

  @TextField({ max: 64, description: describeWriter('documentInterval', '0 at creation') })
  documentInterval?: string;

  @TextField({ max: 255, nullable: true, description: describeWriter('source1') })
  source1?: string | null;

  @TextField({ max: 255, nullable: true, description: describeWriter('source2') })
  source2?: string | null;

  @BooleanField({ description: describeWriter('mustPayTax', 'true at creation') })
  mustPayTax?: boolean;

  @IdentifierField({
    declaredAs: 'string',
    description: describeWriter('priceGroupId', 'id of the price group'),
  })
  pricegroup?: number;

  @TextField({ max: 4000, nullable: true })
  remarksToPrintInvoice?: string | null;

  @BooleanField({ description: describeWriter('updateEntitiesOnly', 'false at creation') })
  updateEntitiesOnly?: boolean;

  @BooleanField({ description: describeWriter('preventDeactivation', 'true at creation') })
  preventDeactivation?: boolean;

  @IdentifierField({ declaredAs: 'string', description: describeWriter('parentId') })
  parentOrganisation?: number;

  @TextField({ max: 255, nullable: true, emptyIsAbsent: true, description: describeWriter('externalId') })
  externalId?: string | null;

  @BooleanField({ declaredAs: 'string', description: describeWriter('pdfInvoice') })
  pdfInvoice?: boolean;

  @IntegerChoiceField({ choices: [0, 1, 2] })
  externalInfoRequired?: number;

  @IdentifierField({ declaredAs: 'integer', description: '1 Customer, 2 Reseller, 3 Operator' })
  organisationType?: number;

  @TimestampField({ nullable: true, description: 'Unix seconds; null plans no run', example: '1767225600' })
  nextInvoiceRun?: number | null;

  @AgreementsField({ nullable: true, description: 'Agreement id by entity class name' })
  defaultAgreements?: Record<string, number> | null;

  @BooleanField({})
  required2fa?: boolean;

  @IntegerField({ description: describeWriter('agencyMode', '0 at creation') })
  agencyMode?: number;

  @BooleanField({ description: 'false at creation' })
  bundleProRata?: boolean;

  @TextField({ max: 4000, nullable: true })
  information?: string | null;

  @BooleanField({ declaredAs: 'string', example: 'false' })
  testAccount?: boolean;
}

export const updateOrganisationShape = updateShape(
  UpdateOrganisationDto,
  (dto): EveryField<OrganisationChanges> => ({
    name: dto.name,
    taxNumber: dto.taxNumber,
    resellerId: dto.resellerOrganisation,
    street: dto.street,
    houseNumber: dto.houseNumber,
    zip: dto.zip,
    city: dto.city,
    countryCode: dto.country,
    resellerKickback: dto.resellerKickback,
    defaultResellerKickback: dto.defaultResellerKickback,
    paymentPeriod: dto.paymentperiod,
    commissionFactor: dto.commissionFactor,
    documentInterval: dto.documentInterval,
    source1: dto.source1,
    source2: dto.source2,
    mustPayTax: dto.mustPayTax,
    priceGroupId: dto.pricegroup,
    remarksToPrintInvoice: dto.remarksToPrintInvoice,
    updateEntitiesOnly: dto.updateEntitiesOnly,
    preventDeactivation: dto.preventDeactivation,
    parentId: dto.parentOrganisation,
    externalId: dto.externalId,
    pdfInvoice: dto.pdfInvoice,
    externalInfoRequired: dto.externalInfoRequired,
    organisationType: dto.organisationType,
    nextInvoiceRun: dto.nextInvoiceRun,
    defaultAgreements: dto.defaultAgreements,
    required2fa: dto.required2fa,
    agencyMode: dto.agencyMode,
    bundleProRata: dto.bundleProRata,
    information: dto.information,
    testAccount: dto.testAccount,
    invoiceDayMin: undefined,
    invoiceDayMax: undefined,
  }),
);
