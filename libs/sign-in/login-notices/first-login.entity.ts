import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { User } from '@app/people/users/user.entity';

/**
 * Marks a user who has logged in before, because the first login sends no notice. Logins and known networks
 * cannot show it: they are deleted after some weeks.
 */
@Entity('first_logins')
export class FirstLogin {
  @PrimaryColumn({ type: 'integer' }) @ForeignKey(() => User) userId!: number;

  @Column({ type: 'timestamptz', default: () => 'now()' }) loggedInAt!: Date;
}
