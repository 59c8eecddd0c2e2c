import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { userTable } from '@app/lifecycle/table-rules';
import { PreferencesController } from './preferences.controller';
import { PreferencesService } from './preferences.service';
import { PreferencesShapes } from './shapes/preferences.shapes';
import { UserPreferences } from './user-preferences.entity';

export const PREFERENCE_RULES = userTable('user_preferences', {
  part: 'preferences',
  personalTexts: 'shortcuts',
  about: 'How the person likes the panel to look.',
  exported: `dark_theme AS "darkTheme", shortcuts`,
});

/** Only Variant A has these routes. Both variants delete the rows with their user, by the rules above. */
@Module({
  imports: [TypeOrmModule.forFeature([UserPreferences])],
  controllers: [PreferencesController],
  providers: [PreferencesService, PreferencesShapes],
})
export class PreferencesModule {}
