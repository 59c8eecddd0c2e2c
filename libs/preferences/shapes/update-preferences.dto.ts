import { BooleanField } from '@app/core/wire/field.decorators';
import { updateShape, type EveryField } from '@app/core/wire/shapes';
import type { PreferencesChange } from '../preferences.types';
import { ShortcutsField } from './shortcuts.decorators';
import { PREFERENCES } from './preferences.properties';

/** Body of PATCH. */
class UpdatePreferencesDto {
  @BooleanField(PREFERENCES.darkTheme)
  darkTheme?: boolean;

  @ShortcutsField(PREFERENCES.shortcuts)
  shortcuts?: object[];
}

export const updatePreferencesShape = updateShape(
  UpdatePreferencesDto,
  (dto): EveryField<PreferencesChange> => ({
    darkTheme: dto.darkTheme,
    shortcuts: dto.shortcuts,
  }),
);
