import { Column, Entity, ForeignKey, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { User } from '@app/people/users/user.entity';

/**
 * A user who lost the last second factor by a link or a reset, where one was demanded.
 * A new one needs a manager.
 */
@Entity('second_factor_losses')
@Unique('second_factor_losses_once', ['userId'])
export class SecondFactorLoss {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' }) id!: number;
  @Column({ type: 'integer' }) @ForeignKey(() => User) userId!: number;
  @Column({ type: 'timestamptz', default: () => 'now()' }) lostAt!: Date;

  /** Null if the organisation had another enabled manager. */
  @Column({
    type: 'timestamptz',
    nullable: true,
    comment:
      'From this time on the only enabled manager of the organisation may set one up without another manager.',
  })
  opensAt!: Date | null;
}
