import { responseShape } from '@app/core/wire/shapes';
import type { Preferences } from '../preferences.types';
import { SinglePreferencesResponse, toPreferencesResponse } from './preferences.response';
import { updatePreferencesShape } from './update-preferences.dto';

/** The request and response shapes of preferences, which only Variant A has. */
export class PreferencesShapes {
  /** Body of PATCH. */
  readonly update = updatePreferencesShape;
  /** Response of GET. */
  readonly single = responseShape(SinglePreferencesResponse, (preferences: Preferences) => ({
    preferences: toPreferencesResponse(preferences),
  }));
}
