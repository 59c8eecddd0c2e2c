import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { User } from '@app/people/users/user.entity';

/** A challenge that an authenticator must sign. It can be used once. */
@Entity('passkey_challenges')
export class PasskeyChallenge {
  @PrimaryColumn({ type: 'bytea', comment: 'SHA-256 of the challenge, which itself is stored nowhere.' })
  digest!: Buffer;

  @Column({ type: 'integer', nullable: true, comment: 'Who adds a passkey; null for a login.' })
  @ForeignKey(() => User)
  @Index('passkey_challenges_of_user')
  userId!: number | null;

  @Column({ type: 'timestamptz' }) @Index('passkey_challenges_expiring') expiresAt!: Date;
}
