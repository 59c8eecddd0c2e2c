import {
  BooleanField,
  IdentifierField,
  IntegerChoiceField,
  IntegerField,
  TextField,
} from '@app/core/wire/fields';
import { changeShape, creationShape } from '@app/core/wire/shapes';
import { AgreementsField, CountryField, TimestampField } from '../../organisation.fields';
import type { OrganisationChanges } from '../../organisation.values';

/** Body of `POST /organisations` in Variant A. */
export class NewOrganisationA {
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

  @IntegerChoiceField({ choices: [0, 1, 2], default: 0 })
  externalInfoRequired?: number;

  @IntegerField({ default: 0, description: 'Admin only' })
  agencyMode?: number;

  @IdentifierField({ declaredAs: 'integer', description: '1 Customer, 2 Reseller, 3 Operator' })
  organisationType?: number;

  @BooleanField({ declaredAs: 'string', example: 'false' })
  testAccount?: boolean;
}

/** Body of `PUT` and `PATCH /organisations/{organisationId}` in Variant A. */
export class OrganisationChangeA {
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

  @IntegerField({ nullable: true, description: 'Admin only; commission, 100 = 1%' })
  defaultResellerKickback?: number | null;

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

  @IntegerChoiceField({ choices: [0, 1, 2] })
  externalInfoRequired?: number;

  @IdentifierField({ declaredAs: 'integer', description: '1 Customer, 2 Reseller, 3 Operator' })
  organisationType?: number;

  @TimestampField({ description: 'Unix seconds', example: '1767225600' })
  nextInvoiceRun?: number;

  @AgreementsField({ nullable: true, description: 'Agreement id by entity class name' })
  defaultAgreements?: Record<string, number> | null;

  @BooleanField({})
  required2fa?: boolean;

  @IntegerField({ default: 0, description: 'Admin only' })
  agencyMode?: number;

  @BooleanField({ default: false })
  bundleProRata?: boolean;

  @TextField({ max: 4000, nullable: true })
  information?: string | null;

  @BooleanField({ declaredAs: 'string', example: 'false' })
  testAccount?: boolean;
}

export const creationA = creationShape(NewOrganisationA, (dto): OrganisationChanges => ({
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
  externalInfoRequired: dto.externalInfoRequired,
  agencyMode: dto.agencyMode,
  organisationType: dto.organisationType,
  testAccount: dto.testAccount,
}));

export const changeA = changeShape(OrganisationChangeA, (dto): OrganisationChanges => ({
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
}));
