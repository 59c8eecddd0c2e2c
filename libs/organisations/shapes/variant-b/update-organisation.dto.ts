import {
  BooleanField,
  IdentifierField,
  IntegerChoiceField,
  IntegerField,
  TextField,
} from '@app/core/wire/field.decorators';
import { updateShape, type EveryField } from '@app/core/wire/shapes';
import { describeWriter } from '../../organisation-field-rights';
import type { OrganisationChanges } from '../../organisation.types';
import { CountryField } from '../organisation.decorators';
import { InvoiceDayField } from './invoice-day.decorators';

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

  @InvoiceDayField({ description: 'Days of the month between which invoices are made' })
  invoiceDay?: { min: number; max: number };
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
    invoiceDayMin: dto.invoiceDay?.min,
    invoiceDayMax: dto.invoiceDay?.max,
    organisationType: undefined,
    externalInfoRequired: undefined,
    nextInvoiceRun: undefined,
    required2fa: undefined,
    agencyMode: undefined,
    bundleProRata: undefined,
    testAccount: undefined,
    information: undefined,
    defaultAgreements: undefined,
    defaultResellerKickback: undefined,
  }),
);
