import type { FieldDescription } from '@app/platform/dto/described-fields';
import { BooleanField, TextField, WordListField } from '@app/platform/dto/field.decorators';
import { createShape, type EveryField, updateShape } from '@app/platform/dto/shapes';
import { NAME_RULES } from '@app/platform/dto/text-rules';
import { StepUpCodeField, StepUpPasswordField, stepUpProof } from '@app/security/passwords/step-up-fields';
import type { Proven } from '@app/security/passwords/step-up-proof';
import { canonicalWhitelist, ExpiresField, KEY, WhitelistField } from '@app/sign-in/keys/key.dto';
import { operationsOf } from '../permitted-operations';
import {
  type NewServiceKey,
  OPERATIONS_LIMIT,
  type ServiceKeyInput,
  unknownOperation,
} from '../service-key.types';

/** Describes the fields of a service key, in requests and responses. */
export const SERVICE_KEY = {
  id: { type: 'integer', description: 'Identifier of the service key', example: 4 },
  name: { description: 'What the key is called, for people', example: 'Name server' },
  operations: {
    type: ['string'],
    description:
      'What the key may do: operations of docs/access.md such as `contacts.list`, and groups of them such as `contacts.*`',
    example: ['organisations.read', 'contacts.*'],
  },
  beneath: {
    type: 'boolean',
    description: 'Whether it does so on the organisations beneath its own too',
    example: false,
  },
  whitelist: KEY.whitelist,
} as const satisfies Readonly<Record<string, FieldDescription>>;

const OperationsField = (): PropertyDecorator =>
  WordListField({
    of: 'operation',
    most: OPERATIONS_LIMIT,
    faultOf: (word) => (operationsOf(word).length === 0 ? unknownOperation(word) : undefined),
    required: true,
    description: SERVICE_KEY.operations.description,
    example: SERVICE_KEY.operations.example,
  });

/** Without duplicates, in the given order. */
const distinct = (operations: readonly string[]): string[] => [...new Set(operations)];

/** Body of POST. */
class CreateServiceKeyDto {
  @TextField({ max: 255, required: true, rules: NAME_RULES, ...SERVICE_KEY.name }) name!: string;
  @OperationsField() operations!: string[];
  @BooleanField({ default: false, ...SERVICE_KEY.beneath }) beneath?: boolean;
  @WhitelistField({ required: false }) whitelist?: string[];
  @ExpiresField('When the key ends, in Unix seconds; absent: after the longest time') expires?: number;

  @StepUpPasswordField() password?: unknown;
  @StepUpCodeField() '6digitCode'?: unknown;
}

export const createServiceKeyShape = createShape(
  CreateServiceKeyDto,
  (dto): EveryField<NewServiceKey & Proven> => ({
    name: dto.name,
    operations: distinct(dto.operations),
    beneath: dto.beneath ?? false,
    whitelist: canonicalWhitelist(dto.whitelist ?? []),
    expiresAt: dto.expires,
    proof: stepUpProof(dto),
  }),
);

/** Body of PUT. */
class UpdateServiceKeyDto {
  @TextField({ max: 255, required: true, ...SERVICE_KEY.name }) name!: string;
  @OperationsField() operations!: string[];
  @BooleanField({ ...SERVICE_KEY.beneath }) beneath?: boolean;
  @WhitelistField({ required: false }) whitelist?: string[];

  @StepUpPasswordField() password?: unknown;
  @StepUpCodeField() '6digitCode'?: unknown;
}

export const updateServiceKeyShape = updateShape(UpdateServiceKeyDto, (dto): ServiceKeyInput & Proven => ({
  name: dto.name,
  operations: distinct(dto.operations),
  beneath: dto.beneath,
  whitelist: dto.whitelist && canonicalWhitelist(dto.whitelist),
  proof: stepUpProof(dto),
}));
