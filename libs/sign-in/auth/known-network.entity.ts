import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { User } from '@app/people/users/user.entity';

/** A network of a user's recent logins, at most 20 for each user. Logins write it. */
@Entity('known_networks')
@Unique('known_networks_once', ['userId', 'network'])
export class KnownNetwork {
  @PrimaryGeneratedColumn('identity', {
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'known_networks_pkey',
  })
  id!: number;

  @Column({ name: 'user_id', type: 'integer' })
  @ForeignKey(() => User, { name: 'known_networks_user_exists' })
  userId!: number;

  @Column({ type: 'cidr', comment: 'A /24 of IPv4 or a /64 of IPv6.' }) network!: string;

  /** Written at most once a day. */
  @Column({ name: 'last_login_at', type: 'timestamptz', default: () => 'now()' })
  @Index('known_networks_by_age')
  lastLoginAt!: Date;
}
