import { Controller, Get, Patch } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access, PathId } from '@app/core/access/access.decorators';
import { RespondsWith, NoContent, RequestBody } from '@app/core/wire/wire.decorators';
import { PreferencesService } from './preferences.service';
import type { Preferences, PreferencesChange } from './preferences.types';
import { PreferencesShapes } from './shapes/preferences.shapes';

@ApiTags('preferences')
@Controller('organisations/:organisationId/users/:userId/preferences')
export class PreferencesController {
  constructor(private readonly preferences: PreferencesService) {}

  @Get()
  @Access('preferences.read')
  @RespondsWith(200, PreferencesShapes, 'single')
  read(@PathId('userId') userId: number): Promise<Preferences> {
    return this.preferences.read(userId);
  }

  @Patch()
  @Access('preferences.update')
  @NoContent()
  update(
    @PathId('userId') userId: number,
    @RequestBody(PreferencesShapes, 'update') change: PreferencesChange,
  ): Promise<void> {
    return this.preferences.update(userId, change);
  }
}
