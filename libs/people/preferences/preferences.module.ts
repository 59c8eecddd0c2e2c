import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { userTable } from '@app/lifecycle/table-rules';
import { UserPreferences } from './user-preferences.entity';

export const PREFERENCE_RULES = userTable('user_preferences', {
  part: 'preferences',
  about: 'How the person likes the panel to look.',
  exported: `dark_theme AS "darkTheme", shortcuts`,
});

/** The stored preferences. Both variants delete them with their user; only Variant A has routes for them. */
@Module({ imports: [TypeOrmModule.forFeature([UserPreferences])], exports: [TypeOrmModule] })
export class PreferencesModule {}
