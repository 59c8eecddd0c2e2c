import {
  BooleanField,
  IdentifierField,
  IntegerChoiceField,
  IntegerField,
  TextField,
} from '@app/platform/dto/field.decorators';
import { NAME_RULES } from '@app/platform/dto/text-rules';
import { describeField } from '../../organisation-field-rights';
import { CountryField } from '../organisation.decorators';
import { ORGANISATION } from './organisation-parts.response';

/** Body of `POST /organisations` with the fields that both variants take: all of them in Variant B. */
export class CreateOrganisationDto {
  @TextField({ max: 255, required: true, rules: NAME_RULES, ...ORGANISATION.name }) name!: string;
  @TextField({ max: 64, required: true, ...ORGANISATION.taxNumber }) taxNumber!: string;

  @IdentifierField({ declaredAs: 'integer', description: describeField('resellerId') })
  resellerOrganisation?: number;

  @IdentifierField({ declaredAs: 'string', description: describeField('parentId') })
  parentOrganisation?: number;

  @TextField({ max: 255, emptyIsAbsent: true, description: describeField('externalId') }) externalId?: string;
  @TextField({ max: 255, ...ORGANISATION.street }) street?: string;
  @TextField({ max: 32, zeroIsAbsent: true, ...ORGANISATION.houseNumber }) houseNumber?: string;
  @TextField({ max: 32, zeroIsAbsent: true, ...ORGANISATION.zip }) zip?: string;
  @TextField({ max: 255, ...ORGANISATION.city }) city?: string;
  @CountryField({ description: describeField('countryCode') }) country?: string;
}

export const toNewOrganisation = (dto: CreateOrganisationDto) => ({
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
});

/** The fields of `PUT` and `PATCH /organisations/{organisationId}` that both variants take. */
export class OrganisationChangesDto {
  @TextField({ max: 255, required: true, ...ORGANISATION.name }) name!: string;
  @TextField({ max: 64, required: true, ...ORGANISATION.taxNumber }) taxNumber!: string;

  @IdentifierField({ declaredAs: 'integer', nullable: true, description: describeField('resellerId') })
  resellerOrganisation?: number | null;

  @TextField({ max: 255, ...ORGANISATION.street }) street?: string;
  @TextField({ max: 32, zeroIsAbsent: true, ...ORGANISATION.houseNumber }) houseNumber?: string;
  @TextField({ max: 32, zeroIsAbsent: true, ...ORGANISATION.zip }) zip?: string;
  @TextField({ max: 255, ...ORGANISATION.city }) city?: string;
  @CountryField({ nullable: true, description: describeField('countryCode') }) country?: string | null;

  @IntegerField({ nullable: true, description: describeField('resellerKickback') })
  resellerKickback?: number | null;

  @IntegerChoiceField({ choices: [0, 30, 60, 90], description: describeField('paymentPeriod') })
  paymentperiod?: number;

  @IntegerField({ nullable: true, description: describeField('commissionFactor') })
  commissionFactor?: number | null;

  @TextField({ max: 64, description: describeField('documentInterval') }) documentInterval?: string;
  @TextField({ max: 255, nullable: true, description: describeField('source1') }) source1?: string | null;
  @TextField({ max: 255, nullable: true, description: describeField('source2') }) source2?: string | null;
  @BooleanField({ description: describeField('mustPayTax') }) mustPayTax?: boolean;
  @IdentifierField({ declaredAs: 'string', description: describeField('priceGroupId') }) pricegroup?: number;

  @TextField({ max: 4000, nullable: true, description: describeField('remarksToPrintInvoice') })
  remarksToPrintInvoice?: string | null;

  @BooleanField({ description: describeField('updateEntitiesOnly') }) updateEntitiesOnly?: boolean;
  @BooleanField({ description: describeField('preventDeactivation') }) preventDeactivation?: boolean;

  @IdentifierField({ declaredAs: 'string', description: describeField('parentId') })
  parentOrganisation?: number;

  @TextField({ max: 255, nullable: true, emptyIsAbsent: true, description: describeField('externalId') })
  externalId?: string | null;

  @BooleanField({ declaredAs: 'string', description: describeField('pdfInvoice') }) pdfInvoice?: boolean;
}

export const toOrganisationChanges = (dto: OrganisationChangesDto) => ({
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
});
