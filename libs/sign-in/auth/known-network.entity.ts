import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { User } from '@app/people/users/user.entity';

/** A network of a user's recent logins, at most 20 of logins by links and 20 of others. Logins write it. */
@Entity('known_networks')
@Unique('known_networks_once', ['userId', 'network', 'byLink'])
export class KnownNetwork {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' }) id!: number;
  @Column({ type: 'integer' }) @ForeignKey(() => User) userId!: number;
  @Column({ type: 'cidr', comment: 'A /24 of IPv4 or a /64 of IPv6.' }) network!: string;

  @Column({
    type: 'boolean',
    default: false,
    comment:
      'Of logins by links: such a network is told as new once, and guesses of passwords from there are those of strangers.',
  })
  byLink!: boolean;

  /** Updated at most once a day. */
  @Column({ type: 'timestamptz', default: () => 'now()' }) @Index('known_networks_by_age') lastLoginAt!: Date;
}
