import { Controller, Get, Patch } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access, PathId } from '@app/core/access/declarations';
import { Answers, AnswersNothing, Input } from '@app/core/wire/declarations';
import { PreferencesService } from './preferences.service';
import type { Preferences, PreferencesChange } from './preferences.values';
import { PreferencesShapes } from './shapes/preferences.shapes';

@ApiTags('preferences')
@Controller('organisations/:organisationId/users/:userId/preferences')
export class PreferencesController {
  constructor(private readonly preferences: PreferencesService) {}

  @Get()
  @Access('preferences.read')
  @Answers(200, PreferencesShapes, 'single')
  read(@PathId('userId') userId: number): Promise<Preferences> {
    return this.preferences.read(userId);
  }

  @Patch()
  @Access('preferences.patch')
  @AnswersNothing()
  change(
    @PathId('userId') userId: number,
    @Input(PreferencesShapes, 'change') change: PreferencesChange,
  ): Promise<void> {
    return this.preferences.change(userId, change);
  }
}
