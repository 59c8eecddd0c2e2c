import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PreferencesController } from './preferences.controller';
import { PreferencesService } from './preferences.service';
import { PreferencesShapes } from './shapes/preferences.shapes';
import { UserPreferences } from './user-preferences.entity';

/** Preferences of users, which Variant A alone has. */
@Module({
  imports: [TypeOrmModule.forFeature([UserPreferences])],
  controllers: [PreferencesController],
  providers: [PreferencesService, PreferencesShapes],
})
export class PreferencesModule {}
