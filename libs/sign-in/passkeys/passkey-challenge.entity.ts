import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { User } from '@app/people/users/user.entity';

/** A challenge that waits for the signature of an authenticator. It is used once. */
@Entity('passkey_challenges')
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
  @Index('passkey_challenges_of_user')
  userId!: number | null;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  @Index('passkey_challenges_expiring')
  expiresAt!: Date;
}
