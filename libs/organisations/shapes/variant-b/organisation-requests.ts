import {
  BooleanField,
  IdentifierField,
  IntegerChoiceField,
  IntegerField,
  TextField,
} from '@app/core/wire/fields';
import { changeShape, creationShape } from '@app/core/wire/shapes';
import { CountryField, InvoiceDayField } from '../../organisation.fields';
import type { OrganisationChanges } from '../../organisation.values';

/** Body of `POST /organisations` in Variant B. */
export class NewOrganisationB {
  @TextField({ max: 255, required: true, example: 'Bakkerij de Vries' })
  name!: string;

  @TextField({ max: 64, required: true, example: 'NL001234567B01' })
  taxNumber!: string;

  @IdentifierField({ declaredAs: 'integer', description: 'Reseller of the new organisation' })
  resellerOrganisation?: number;

  @IdentifierField({ declaredAs: 'string', description: 'Admin only; default the operator organisation' })
  parentOrganisation?: number;

  @TextField({ max: 255, emptyIsAbsent: true, description: 'Admin only' })
  externalId?: string;

  @TextField({ max: 255, example: 'Dorpsstraat' })
  street?: string;

  @TextField({ max: 32, example: '12a' })
  houseNumber?: string;

  @TextField({ max: 32, example: '1234 AB' })
  zip?: string;

  @TextField({ max: 255, example: 'Utrecht' })
  city?: string;

  @CountryField({ description: 'Country id' })
  country?: string;
}

/** Body of `PUT` and `PATCH /organisations/{organisationId}` in Variant B. */
export class OrganisationChangeB {
  @TextField({ max: 255, required: true, example: 'Bakkerij de Vries' })
  name!: string;

  @TextField({ max: 64, required: true, example: 'NL001234567B01' })
  taxNumber!: string;

  @IdentifierField({ declaredAs: 'integer', nullable: true })
  resellerOrganisation?: number | null;

  @TextField({ max: 255 })
  street?: string;

  @TextField({ max: 32 })
  houseNumber?: string;

  @TextField({ max: 32 })
  zip?: string;

  @TextField({ max: 255 })
  city?: string;

  @CountryField({ nullable: true, description: 'Country id' })
  country?: string | null;

  @IntegerField({ nullable: true, description: 'Admin only; commission, 100 = 1%' })
  resellerKickback?: number | null;

  @IntegerChoiceField({ choices: [0, 30, 60, 90], default: 30, description: 'Admin only; days' })
  paymentperiod?: number;

  @IntegerField({ nullable: true, description: 'Admin only' })
  commissionFactor?: number | null;

  @TextField({ max: 64, default: '0', description: 'Admin only' })
  documentInterval?: string;

  @TextField({ max: 255, nullable: true, description: 'Admin only' })
  source1?: string | null;

  @TextField({ max: 255, nullable: true, description: 'Admin only' })
  source2?: string | null;

  @BooleanField({ default: true, description: 'Admin only' })
  mustPayTax?: boolean;

  @IdentifierField({ declaredAs: 'string', description: 'Admin only; id of the price group' })
  pricegroup?: number;

  @TextField({ max: 4000, nullable: true })
  remarksToPrintInvoice?: string | null;

  @BooleanField({ default: false, description: 'Admin and reseller only' })
  updateEntitiesOnly?: boolean;

  @BooleanField({ default: true, description: 'Admin only' })
  preventDeactivation?: boolean;

  @IdentifierField({ declaredAs: 'string', description: 'Admin only' })
  parentOrganisation?: number;

  @TextField({ max: 255, nullable: true, emptyIsAbsent: true, description: 'Admin only' })
  externalId?: string | null;

  @BooleanField({ declaredAs: 'string', description: 'Admin only' })
  pdfInvoice?: boolean;

  @InvoiceDayField({ description: 'Days of the month between which invoices are made' })
  invoiceDay?: { min: number; max: number };
}

export const creationB = creationShape(NewOrganisationB, (dto): OrganisationChanges => ({
  name: dto.name,
  taxNumber: dto.taxNumber,
  resellerId: dto.resellerOrganisation,
  parentId: dto.parentOrganisation,
  externalId: dto.externalId,
  street: dto.street,
  houseNumber: dto.houseNumber,
  zip: dto.zip,
  city: dto.city,
  countryCode: dto.country,
}));

export const changeB = changeShape(OrganisationChangeB, (dto): OrganisationChanges => ({
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
}));
