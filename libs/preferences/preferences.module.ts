import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { UserPreferencesDeletion } from './preferences.deletion';
import { UserPreferencesPersonalData } from './preferences.privacy';
import { UserPreferences } from './user-preferences.entity';

/** Preferences of users: kept in one variant, they go with their user in both. */
@Module({
  imports: [TypeOrmModule.forFeature([UserPreferences])],
  providers: [UserPreferencesDeletion, UserPreferencesPersonalData],
  exports: [TypeOrmModule],
})
export class PreferencesModule {}
