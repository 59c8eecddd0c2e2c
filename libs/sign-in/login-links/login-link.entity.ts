import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { User } from '@app/people/users/user.entity';
import { ServiceKey } from '@app/sign-in/servicekeys/service-key.entity';

/** A link that logs its user in, once. Triggers end it with what it rests on. */
@Entity('login_links')
@Unique('login_links_token_unique', ['tokenDigest'])
@Check('login_links_few_tries', 'tries BETWEEN 0 AND 5')
@Check('login_links_few_refusals', 'refusals BETWEEN 0 AND tries')
@Check('login_links_short', `expires_at <= created_at + interval '10 minutes'`)
export class LoginLink {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' }) id!: number;

  @Column({ type: 'integer' })
  @ForeignKey(() => User)
  @Index('login_links_of_user')
  userId!: number;

  /** The key that made it. */
  @Column({ type: 'integer' })
  @ForeignKey(() => ServiceKey, { onDelete: 'CASCADE' })
  @Index('login_links_of_service_key')
  serviceKeyId!: number;

  /** SHA-256 of the token in the link. */
  @Column({ type: 'bytea', comment: 'SHA-256 of the token, which itself is stored nowhere.' })
  tokenDigest!: Buffer;

  @Column({
    type: 'varchar',
    length: 45,
    nullable: true,
    comment: 'The only address that may use it; null for any.',
  })
  address!: string | null;

  @Column({ type: 'timestamptz', default: () => 'now()' }) createdAt!: Date;
  @Column({ type: 'timestamptz' }) @Index('login_links_expiring') expiresAt!: Date;

  @Column({
    type: 'smallint',
    default: 0,
    comment:
      'Uses that asked for a second factor, under way or refused for it. They count before the code is checked.',
  })
  tries!: number;

  @Column({ type: 'smallint', default: 0, comment: 'Uses that were refused for the second factor.' })
  refusals!: number;

  @Column({
    type: 'timestamptz',
    nullable: true,
    comment: 'When a use was first refused for the second factor.',
  })
  refusedAt!: Date | null;

  /** When it logged its user in. */
  @Column({ type: 'timestamptz', nullable: true }) usedAt!: Date | null;

  @Column({
    type: 'timestamptz',
    nullable: true,
    comment: 'Without a use: by the last refusal, or with what it rested on.',
  })
  endedAt!: Date | null;
}
