import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { User } from '@app/people/users/user.entity';

/** A user's settings for the look of the panel. A user without settings has no row. */
@Entity('user_preferences')
@Check('user_preferences_shortcuts_are_array', `json_typeof(shortcuts) = 'array'`)
export class UserPreferences {
  @PrimaryColumn({ type: 'integer' }) @ForeignKey(() => User) userId!: number;
  @Column({ type: 'boolean', default: false }) darkTheme!: boolean;

  /** The client's own objects, unchanged. `jsonb` would rewrite them, so the type is `json`. */
  @Column({ type: 'json', default: [] }) shortcuts!: object[];

  /** Counts changes of the record itself; a trigger increments it. */
  @Column({ type: 'integer', default: 1, insert: false, update: false }) version!: number;
}
