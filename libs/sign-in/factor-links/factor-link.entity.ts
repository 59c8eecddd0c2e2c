import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { User } from '@app/people/users/user.entity';
import { UNDOABLE_CHANGES, type UndoableChange } from '@app/sign-in/auth/second-factor-listener';

/**
 * A link of a mail about a second factor: it undoes one change, once. A trigger keeps at most 100
 * that undo nothing any more.
 */
@Entity('second_factor_links')
@Unique('second_factor_links_token_unique', ['tokenDigest'])
@Check(
  'second_factor_links_change_known',
  `change = ANY (string_to_array('${UNDOABLE_CHANGES.join(' ')}', ' '))`,
)
@Check('second_factor_links_passkey_named', `(change = 'authenticatorAdded') = (passkey_id IS NULL)`)
@Index('second_factor_links_of_user', ['userId', 'changedAt'])
export class SecondFactorLink {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' }) id!: number;
  @Column({ type: 'integer' }) @ForeignKey(() => User) userId!: number;
  @Column({ type: 'varchar', length: 32 }) change!: UndoableChange;

  @Column({
    type: 'integer',
    nullable: true,
    comment: 'Of the table passkeys, whose row may have gone: ids are used once.',
  })
  passkeyId!: number | null;

  @Column({ type: 'varchar', length: 255, default: '' }) passkeyName!: string;

  @Column({ type: 'integer', comment: 'The login that made the change. Its row may have gone too.' })
  loginId!: number;

  /** The authenticator, or the login that came with it, has the same time. */
  @Column({ type: 'timestamptz', default: () => 'now()' }) changedAt!: Date;

  @Column({ type: 'bytea', comment: 'SHA-256 of the token, which itself is stored nowhere.' })
  tokenDigest!: Buffer;

  @Column({ type: 'timestamptz' }) @Index('second_factor_links_expiring') expiresAt!: Date;

  /** When the link was used. */
  @Column({ type: 'timestamptz', nullable: true }) endedAt!: Date | null;

  @Column({
    type: 'boolean',
    default: true,
    comment:
      'Among the changes that a user may make in 24 hours. A reset of the password and a manager begin a new count.',
  })
  isCounted!: boolean;
}
