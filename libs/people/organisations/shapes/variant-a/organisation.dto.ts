import { MAX_INTEGER } from '@app/platform/dto/coercion';
import {
  BooleanField,
  field,
  type FieldOptions,
  IdentifierField,
  IntegerChoiceField,
  IntegerField,
  isStorableText,
  TextField,
  TimestampField,
} from '@app/platform/dto/field.decorators';
import { refusing, Satisfies } from '@app/platform/dto/field-checks';
import { createShape, type EveryField, updateShape } from '@app/platform/dto/shapes';
import { fieldError } from '@app/platform/errors/api-error';
import type { NewOrganisation, OrganisationChanges } from '../../organisation-changes.types';
import { describeField } from '../../organisation-field-rights';
import { isPlainObject, isWhole, withIntegers } from '../organisation.decorators';
import {
  CreateOrganisationDto as NewOrganisationDto,
  OrganisationChangesDto,
  toNewOrganisation,
  toOrganisationChanges,
} from '../shared/organisation.dto';

/** Most default agreements of an organisation. */
const MAX_AGREEMENTS = 50;
const NO_AGREEMENTS = fieldError(
  'INVALID',
  'This value should be an object from entity class name to agreement id.',
);

/** Agreement ids by entity class name; `[]` is the empty object. */
export const AgreementsField = (options: FieldOptions): PropertyDecorator =>
  field(options, {
    emptyIsAbsent: false,
    coerce: (value) => (Array.isArray(value) && value.length === 0 ? {} : withIntegers(value)),
    documentation: { type: 'object', additionalProperties: { type: 'integer' } },
    checks: [Satisfies('areAgreements', areAgreements, refusing(NO_AGREEMENTS))],
  });

const areAgreements = (value: unknown): boolean =>
  isPlainObject(value) &&
  Object.keys(value).length <= MAX_AGREEMENTS &&
  Object.entries(value).every(
    ([name, id]) => name.length <= 255 && isStorableText(name) && isWhole(id, 1, MAX_INTEGER),
  );

/** Body of `POST /organisations`. */
class CreateOrganisationDto extends NewOrganisationDto {
  @IntegerChoiceField({ choices: [0, 1, 2], default: 0, description: describeField('externalInfoRequired') })
  externalInfoRequired?: number;

  @IntegerField({ default: 0, description: describeField('agencyMode') }) agencyMode?: number;

  @IdentifierField({ declaredAs: 'integer', description: describeField('organisationType') })
  organisationType?: number;

  @BooleanField({ declaredAs: 'string', description: describeField('testAccount'), example: 'false' })
  testAccount?: boolean;
}

export const createOrganisationShape = createShape(
  CreateOrganisationDto,
  (dto): EveryField<NewOrganisation> => ({
    ...toNewOrganisation(dto),
    externalInfoRequired: dto.externalInfoRequired,
    agencyMode: dto.agencyMode,
    organisationType: dto.organisationType,
    testAccount: dto.testAccount,
  }),
);

/** Body of `PUT` and `PATCH /organisations/{organisationId}`. */
class UpdateOrganisationDto extends OrganisationChangesDto {
  @IntegerField({ nullable: true, description: describeField('defaultResellerKickback') })
  defaultResellerKickback?: number | null;

  @IntegerChoiceField({ choices: [0, 1, 2], description: describeField('externalInfoRequired') })
  externalInfoRequired?: number;

  @IdentifierField({ declaredAs: 'integer', description: describeField('organisationType') })
  organisationType?: number;

  @TimestampField({ nullable: true, description: describeField('nextInvoiceRun'), example: '1767225600' })
  nextInvoiceRun?: number | null;

  @AgreementsField({ nullable: true, description: describeField('defaultAgreements') })
  defaultAgreements?: Record<string, number> | null;

  @BooleanField({ description: describeField('required2fa') }) required2fa?: boolean;
  @IntegerField({ description: describeField('agencyMode') }) agencyMode?: number;
  @BooleanField({ description: describeField('bundleProRata') }) bundleProRata?: boolean;

  @TextField({ max: 4000, nullable: true, description: describeField('information') })
  information?: string | null;

  @BooleanField({ declaredAs: 'string', description: describeField('testAccount'), example: 'false' })
  testAccount?: boolean;
}

export const updateOrganisationShape = updateShape(
  UpdateOrganisationDto,
  (dto): EveryField<OrganisationChanges> => ({
    ...toOrganisationChanges(dto),
    defaultResellerKickback: dto.defaultResellerKickback,
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
