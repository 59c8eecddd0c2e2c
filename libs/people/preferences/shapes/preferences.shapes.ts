import { isObject } from 'class-validator';
import type { FieldDescription } from '@app/platform/dto/described-fields';
import { BooleanField, field, type FieldOptions, NOT_STORABLE } from '@app/platform/dto/field.decorators';
import { refusing, refusingAtOnce, Satisfies } from '@app/platform/dto/field-checks';
import { holdsExactNumbers, holdsStorableText, INEXACT_NUMBER } from '@app/platform/dto/free-json';
import { type EveryField, ResponseField, singleOf, updateShape } from '@app/platform/dto/shapes';
import { fieldError } from '@app/platform/errors/api-error';
import type { Preferences, PreferencesChange } from '../preferences.service';

/** Describes preferences, in requests and responses. */
const PREFERENCES = {
  darkTheme: { type: 'boolean', description: 'Whether the panel is shown in dark colours' },
  shortcuts: {
    description: 'Objects that only the client understands, kept as they are: at most 16,384 bytes of JSON',
  },
} as const satisfies Readonly<Record<string, FieldDescription>>;

/** Most bytes of shortcuts as JSON (rule users 37). */
const SHORTCUTS_MAX_BYTES = 16_384;

/** Objects of the client, stored as they are. The service does not read their keys. */
export const ShortcutsField = (options: FieldOptions): PropertyDecorator =>
  field(options, {
    emptyIsAbsent: false,
    documentation: { type: 'array', items: { type: 'object', additionalProperties: true } },
    checks: [
      Satisfies('areObjects', areObjects, refusingAtOnce(NO_OBJECTS)),
      Satisfies('hasMaxBytes', hasMaxBytes, refusingAtOnce(TOO_MANY_BYTES)),
      Satisfies('holdsExactNumbers', holdsExactNumbers, refusing(INEXACT_NUMBER)),
      Satisfies('isStorable', holdsStorableText, refusing(NOT_STORABLE)),
    ],
  });

const NO_OBJECTS = fieldError('WRONG_TYPE', 'This value should be an array of objects.');
const TOO_MANY_BYTES = fieldError(
  'TOO_LONG',
  `This value is too long. It should have ${SHORTCUTS_MAX_BYTES} bytes of JSON or less.`,
);

const areObjects = (value: unknown): boolean =>
  Array.isArray(value) && value.every((item: unknown) => isObject(item));

const hasMaxBytes = (value: unknown): boolean =>
  Buffer.byteLength(JSON.stringify(value)) <= SHORTCUTS_MAX_BYTES;

/** Body of PATCH. */
class UpdatePreferencesDto {
  @BooleanField(PREFERENCES.darkTheme) darkTheme?: boolean;
  @ShortcutsField(PREFERENCES.shortcuts) shortcuts?: object[];
}

const updatePreferencesShape = updateShape(UpdatePreferencesDto, (dto): EveryField<PreferencesChange> => ({
  darkTheme: dto.darkTheme,
  shortcuts: dto.shortcuts,
}));

/** A user's settings for the look of the panel. */
export class PreferencesResponse {
  @ResponseField(PREFERENCES.darkTheme) darkTheme!: boolean;

  @ResponseField({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    ...PREFERENCES.shortcuts,
  })
  shortcuts!: object[];
}

const toPreferencesResponse = (preferences: Preferences): PreferencesResponse => ({
  darkTheme: preferences.darkTheme,
  shortcuts: [...preferences.shortcuts],
});

/** The request and response shapes of preferences, which only Variant A has. */
export class PreferencesShapes {
  readonly update = updatePreferencesShape;
  readonly single = singleOf('preferences', PreferencesResponse, toPreferencesResponse, {
    description: 'The preferences of the user',
  });
}
