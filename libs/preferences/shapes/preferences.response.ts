import { ApiProperty } from '@nestjs/swagger';
import type { Preferences } from '../preferences.types';
import { PREFERENCES } from './preferences.properties';

/** What a user set of the panel's looks. */
export class PreferencesResponse {
  @ApiProperty(PREFERENCES.darkTheme)
  darkTheme!: boolean;

  @ApiProperty({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    ...PREFERENCES.shortcuts,
  })
  shortcuts!: object[];
}

/** Response of GET. */
export class SinglePreferencesResponse {
  @ApiProperty({ type: PreferencesResponse, description: 'The preferences of the user' })
  preferences!: PreferencesResponse;
}

export const toPreferencesResponse = (preferences: Preferences): PreferencesResponse => ({
  darkTheme: preferences.darkTheme,
  shortcuts: [...preferences.shortcuts],
});
