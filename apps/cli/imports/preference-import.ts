import type { Preferences } from '@app/people/preferences/preferences.service';
import { ShortcutsField } from '@app/people/preferences/shapes/preferences.shapes';
import { UserPreferences } from '@app/people/preferences/user-preferences.entity';
import { BooleanField } from '@app/platform/dto/field.decorators';
import { createShape, type EveryField } from '@app/platform/dto/shapes';
import { jsonOfText } from './import-kind';
import { ownedImport, ownerOf, UserOwnedRow, USERS } from './owned-import';
import type { OwnerReference } from './record-owners';

/** The preferences of a user of the previous panel. */
interface ImportedPreferences extends Preferences {
  readonly owner: OwnerReference;
}

/** One row of the file. It follows the rules of the API. */
class PreferenceImportRow extends UserOwnedRow {
  @BooleanField({}) darkTheme = false;
  @ShortcutsField({}) shortcuts: object[] = [];
}

const shape = createShape(PreferenceImportRow, (row): EveryField<ImportedPreferences> => ({
  owner: ownerOf(row, USERS),
  darkTheme: row.darkTheme,
  shortcuts: row.shortcuts,
}));

/** How users like the panel to look. Each has one record. */
export const preferenceImport = ownedImport({
  entity: UserPreferences,
  limited: {
    table: 'user_preferences',
    limits: { ofUser: 1 },
    errors: { user_preferences_limit_of_user: { message: 'A row above has the preferences of this user.' } },
  },
  shape,
  fields: { identity: [] },
  // A csv cell contains the list as JSON.
  prepare: ({ shortcuts, ...values }) => ({
    ...values,
    shortcuts: shortcuts === '' ? undefined : jsonOfText(shortcuts),
  }),
  key: { properties: [], field: 'username' },
  compared: { darkTheme: 'darkTheme', shortcuts: 'shortcuts' },
  ownerColumns: ['userId'],
  matching: (_, { userIds }) => ['user_id = ANY ($1)', userIds],
  columnsOf: ({ darkTheme, shortcuts }, { userId }) => ({
    userId: userId as number,
    darkTheme,
    shortcuts: [...shortcuts],
  }),
});
