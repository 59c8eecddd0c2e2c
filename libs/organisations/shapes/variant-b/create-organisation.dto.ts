import { IdentifierField, TextField } from '@app/core/wire/field.decorators';
import { createShape, type EveryField } from '@app/core/wire/shapes';
import { describeField } from '../../organisation-field-rights';
import type { NewOrganisation } from '../../organisation.types';
import { CountryField } from '../organisation.decorators';
import { ORGANISATION } from '../shared/organisation.properties';

/** Body of `POST /organisations`. */
class CreateOrganisationDto {
  @TextField({ max: 255, required: true, ...ORGANISATION.name })
  name!: string;

  @TextField({ max: 64, required: true, ...ORGANISATION.taxNumber })
  taxNumber!: string;

  @IdentifierField({ declaredAs: 'integer', description: describeField('resellerId') })
  resellerOrganisation?: number;

  @IdentifierField({ declaredAs: 'string', description: describeField('parentId') })
  parentOrganisation?: number;

  @TextField({ max: 255, emptyIsAbsent: true, description: describeField('externalId') })
  externalId?: string;

  @TextField({ max: 255, ...ORGANISATION.street })
  street?: string;

  @TextField({ max: 32, zeroIsAbsent: true, ...ORGANISATION.houseNumber })
  houseNumber?: string;

  @TextField({ max: 32, zeroIsAbsent: true, ...ORGANISATION.zip })
  zip?: string;

  @TextField({ max: 255, ...ORGANISATION.city })
  city?: string;

  @CountryField({ description: describeField('countryCode') })
  country?: string;
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
    organisationType: undefined,
    externalInfoRequired: undefined,
    agencyMode: undefined,
    testAccount: undefined,
  }),
);
