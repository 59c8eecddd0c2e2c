import { Injectable, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { UserRecords } from '@app/lifecycle/user-records';
import { UserPreferences } from './user-preferences.entity';

@Injectable()
export class PreferencesRecords extends UserRecords {
  readonly table = 'user_preferences';
  readonly part = 'preferences';
  readonly about = 'How the person likes the panel to look.';
  protected readonly exported = `dark_theme AS "darkTheme", shortcuts`;
}

/** The stored preferences. Both variants delete them with their user; only Variant A has routes for them. */
@Module({
  imports: [TypeOrmModule.forFeature([UserPreferences])],
  providers: [PreferencesRecords],
  exports: [TypeOrmModule],
})
export class PreferencesModule {}
