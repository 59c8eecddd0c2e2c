import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { User } from '@app/people/users/user.entity';

/** A user's settings of the panel's looks. Without settings there is no row. */
@Entity('user_preferences')
@Check('user_preferences_shortcuts_are_array', `json_typeof(shortcuts) = 'array'`)
export class UserPreferences {
  @PrimaryColumn({ type: 'integer' }) @ForeignKey(() => User) userId!: number;
  @Column({ type: 'boolean', default: false }) darkTheme!: boolean;

  /** The client's own objects, kept as they were sent: `json` and not `jsonb`, which would rewrite them. */
  @Column({ type: 'json', default: [] }) shortcuts!: object[];

  /** Counts changes of the record itself; a trigger keeps it. */
  @Column({ type: 'integer', default: 1, insert: false, update: false }) version!: number;
}
