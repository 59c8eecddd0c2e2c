import { ApiProperty } from '@nestjs/swagger';
import type { Preferences } from '../preferences.types';

/** What a user set of the panel's looks. */
export class PreferencesResponse {
  @ApiProperty()
  darkTheme!: boolean;

  @ApiProperty({ type: 'array', items: { type: 'object', additionalProperties: true } })
  shortcuts!: object[];
}

/** Response of GET. */
export class SinglePreferencesResponse {
  @ApiProperty({ type: PreferencesResponse })
  preferences!: PreferencesResponse;
}

export const toPreferencesResponse = (preferences: Preferences): PreferencesResponse => ({
  darkTheme: preferences.darkTheme,
  shortcuts: [...preferences.shortcuts],
});
