import { IsObject } from 'class-validator';
import {
  field,
  type FieldOptions,
  NOT_STORABLE,
  TextField,
  WordField,
} from '@app/platform/dto/field.decorators';
import { refusing, refusingAtOnce, Satisfies } from '@app/platform/dto/field-checks';
import { holdsExactNumbers, holdsStorableText, INEXACT_NUMBER } from '@app/platform/dto/free-json';
import { createShape } from '@app/platform/dto/shapes';
import { fieldError } from '@app/platform/errors/api-error';
import { NOTIFICATION_GROUPS, type NotificationGroup } from './notification.types';
import type { NewNotification } from './notification-details.types';

/** Maximum bytes of params as JSON, the same as for a user's shortcuts (rule users 37). */
const MAX_BYTES = 16_384;

/** Maximum nesting of params. */
const DEEPEST = 10;

/** A free-form object of limited size that PostgreSQL can store. */
const ParamsField = (options: FieldOptions): PropertyDecorator =>
  field(options, {
    emptyIsAbsent: true,
    documentation: { type: 'object', additionalProperties: true },
    checks: [
      IsObject(refusingAtOnce(NO_OBJECT)),
      Satisfies('isFlat', (value) => !isDeeper(value, DEEPEST), refusingAtOnce(TOO_DEEP)),
      Satisfies('hasMaxBytes', hasMaxBytes, refusingAtOnce(TOO_MANY_BYTES)),
      Satisfies('holdsExactNumbers', holdsExactNumbers, refusing(INEXACT_NUMBER)),
      Satisfies('isStorable', holdsStorableText, refusing(NOT_STORABLE)),
    ],
  });

const NO_OBJECT = fieldError('WRONG_TYPE', 'This value should be an object.');
const TOO_DEEP = fieldError(
  'TOO_DEEP',
  `This value is nested too deeply. It should have ${DEEPEST} levels or less.`,
);
const TOO_MANY_BYTES = fieldError(
  'TOO_LONG',
  `This value is too long. It should have ${MAX_BYTES} bytes or less as JSON.`,
);

/** JSON.stringify is recursive. The body parser limits the depth, so that it cannot exhaust the stack. */
const hasMaxBytes = (value: unknown): boolean => Buffer.byteLength(JSON.stringify(value)) <= MAX_BYTES;

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1));
}

/** Body of `POST …/notifications`. */
class CreateNotificationDto {
  @TextField({
    max: 255,
    required: true,
    description: 'What happened, in a word of your own',
    example: 'maintenance',
  })
  type!: string;

  @WordField({
    words: NOTIFICATION_GROUPS,
    required: true,
    description: 'What it is about: contacts that enabled the group are told',
  })
  group!: NotificationGroup;

  @ParamsField({
    description:
      'Whatever else the reader should know, at most 16,384 bytes of JSON and 10 levels deep. ' +
      'Texts subject and message become the mail, the others lines of it',
  })
  params?: Record<string, unknown>;
}

export const createNotificationShape = createShape(CreateNotificationDto, (dto): NewNotification => ({
  type: dto.type,
  group: dto.group,
  params: dto.params ?? {},
}));
