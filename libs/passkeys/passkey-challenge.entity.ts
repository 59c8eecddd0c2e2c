import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { User } from '@app/users/user.entity';

/** A challenge that waits for the signature of an authenticator. It is used once. */
@Entity('passkey_challenges')
@Unique('passkey_challenges_one_of_user', ['userId'])
export class PasskeyChallenge {
  @PrimaryColumn({
    type: 'bytea',
    primaryKeyConstraintName: 'passkey_challenges_pkey',
    comment: 'SHA-256 of the challenge, which itself is stored nowhere.',
  })
  digest!: Buffer;

  @Column({
    name: 'user_id',
    type: 'integer',
    nullable: true,
    comment: 'Who adds a passkey; null for a login.',
  })
  @ForeignKey(() => User, { name: 'passkey_challenges_user_exists' })
  userId!: number | null;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  @Index('passkey_challenges_expiring')
  expiresAt!: Date;
}
