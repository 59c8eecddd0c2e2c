import {
  BooleanField,
  IdentifierField,
  IntegerChoiceField,
  IntegerField,
  TextField,
} from '@app/core/wire/field.decorators';
import { createShape, type EveryField } from '@app/core/wire/shapes';
import { describeWriter } from '../../organisation-field-rights';
import type { NewOrganisation } from '../../organisation.types';
import { CountryField } from '../organisation.decorators';

/** Body of `POST /organisations`. */
class CreateOrganisationDto {
  @TextField({ max: 255, required: true, example: 'Bakkerij de Vries' })
  name!: string;

  @TextField({ max: 64, required: true, example: 'NL001234567B01' })
  taxNumber!: string;

  @IdentifierField({ declaredAs: 'integer', description: 'Reseller of the new organisation' })
  resellerOrganisation?: number;

  @IdentifierField({
    declaredAs: 'string',
    description: describeWriter('parentId', 'default the operator organisation'),
  })
  parentOrganisation?: number;

  @TextField({ max: 255, emptyIsAbsent: true, description: describeWriter('externalId') })
  externalId?: string;

  @TextField({ max: 255, example: 'Dorpsstraat' })
  street?: string;

  @TextField({ max: 32, zeroIsAbsent: true, example: '12a' })
  houseNumber?: string;

  @TextField({ max: 32, zeroIsAbsent: true, example: '1234 AB' })
  zip?: string;

  @TextField({ max: 255, example: 'Utrecht' })
  city?: string;

  @CountryField({ description: 'Country id' })
  country?: string;

  @IntegerChoiceField({ choices: [0, 1, 2], default: 0 })
  externalInfoRequired?: number;

  @IntegerField({ default: 0, description: describeWriter('agencyMode') })
  agencyMode?: number;

  @IdentifierField({ declaredAs: 'integer', description: '1 Customer, 2 Reseller, 3 Operator' })
  organisationType?: number;

  @BooleanField({ declaredAs: 'string', example: 'false' })
  testAccount?: boolean;
}

export const createOrganisationShape = createShape(
  CreateOrganisationDto,
  (dto): EveryField<NewOrganisation> => ({
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
  }),
);
