import { Controller, Get, Patch } from '@nestjs/common';
import { NoContent, RequestBody, RespondsWith } from '@app/platform/dto/wire.decorators';
import { Access, Ctx, PathId, Versioned } from '@app/security/access/access.decorators';
import type { Caller } from '@app/security/access/caller';
import {
  type Preferences,
  PREFERENCES_VERSION,
  type PreferencesChange,
  PreferencesService,
} from './preferences.service';
import { PreferencesShapes } from './shapes/preferences.shapes';

@Controller('organisations/:organisationId/users/:userId/preferences')
@Versioned(PREFERENCES_VERSION)
export class PreferencesController {
  constructor(private readonly preferences: PreferencesService) {}

  @Get()
  @Access('preferences.read', 'Read the own preferences')
  @RespondsWith(200, PreferencesShapes, 'single')
  read(@PathId('userId') userId: number): Promise<Preferences> {
    return this.preferences.read(userId);
  }

  @Patch()
  @Access(
    'preferences.update',
    'Change the own preferences',
    'Changes what is present and keeps what is absent.',
  )
  @NoContent()
  update(
    @Ctx() caller: Caller,
    @PathId('userId') userId: number,
    @RequestBody(PreferencesShapes, 'update') change: PreferencesChange,
  ): Promise<void> {
    return this.preferences.update(caller, userId, change);
  }
}
