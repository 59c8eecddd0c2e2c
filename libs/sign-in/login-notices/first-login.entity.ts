import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { User } from '@app/people/users/user.entity';

/**
 * That a user has logged in before. Logins and known networks go after some weeks, and the first login of a user is told
 * to nobody.
 */
@Entity('first_logins')
export class FirstLogin {
  @PrimaryColumn({ type: 'integer' }) @ForeignKey(() => User) userId!: number;

  @Column({
    type: 'timestamptz',
    default: () => 'now()',
    comment: 'For users of before version 1.1 the oldest login that was still known.',
  })
  loggedInAt!: Date;
}
