import { ApiProperty } from '@nestjs/swagger';
import { BooleanField } from '@app/core/wire/fields';
import { changeShape, replyShape } from '@app/core/wire/shapes';
import type { Preferences, PreferencesChange } from '../preferences.values';
import { ShortcutsField } from './shortcuts-field';

/** Body of PATCH. */
export class PreferencesRequest {
  @BooleanField({ description: 'Whether the panel is shown in dark colours' })
  darkTheme?: boolean;

  @ShortcutsField({ description: 'Objects that only the client understands, at most 16 kB of JSON' })
  shortcuts?: object[];
}

class PreferencesReply {
  @ApiProperty()
  darkTheme!: boolean;

  @ApiProperty({ type: 'array', items: { type: 'object', additionalProperties: true } })
  shortcuts!: object[];
}

class PreferencesAnswer {
  @ApiProperty({ type: PreferencesReply })
  preferences!: PreferencesReply;
}

/** The request and response shapes of preferences, which only Variant A has. */
export class PreferencesShapes {
  readonly change = changeShape(PreferencesRequest, (dto): PreferencesChange => ({
    darkTheme: dto.darkTheme,
    shortcuts: dto.shortcuts,
  }));
  readonly single = replyShape(PreferencesAnswer, ({ darkTheme, shortcuts }: Preferences) => ({
    preferences: { darkTheme, shortcuts: [...shortcuts] },
  }));
}
