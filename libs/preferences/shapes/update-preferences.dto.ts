import { BooleanField } from '@app/core/wire/field.decorators';
import { updateShape, type EveryField } from '@app/core/wire/shapes';
import type { PreferencesChange } from '../preferences.types';
import { ShortcutsField } from './shortcuts.decorators';

/** Body of PATCH. */
class UpdatePreferencesDto {
  @BooleanField({ description: 'Whether the panel is shown in dark colours' })
  darkTheme?: boolean;

  @ShortcutsField({ description: 'Objects that only the client understands, at most 16 kB of JSON' })
  shortcuts?: object[];
}

export const updatePreferencesShape = updateShape(
  UpdatePreferencesDto,
  (dto): EveryField<PreferencesChange> => ({
    darkTheme: dto.darkTheme,
    shortcuts: dto.shortcuts,
  }),
);
