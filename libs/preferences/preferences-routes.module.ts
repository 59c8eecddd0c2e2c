import { Module } from '@nestjs/common';
import { PreferencesController } from './preferences.controller';
import { PreferencesService } from './preferences.service';
import { PreferencesShapes } from './shapes/preferences.shapes';

/** The routes of preferences, which exist in Variant A only. */
@Module({ controllers: [PreferencesController], providers: [PreferencesService, PreferencesShapes] })
export class PreferencesRoutesModule {}
