import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { User } from '@app/people/users/user.entity';

/** The words of an erased person of whom something is left, for a second run. */
@Entity('erasure_remains')
export class ErasureRemain {
  @PrimaryColumn({ name: 'user_id', type: 'integer', primaryKeyConstraintName: 'erasure_remains_pkey' })
  @ForeignKey(() => User, { name: 'erasure_remains_user_exists' })
  userId!: number;

  /** JSON of `KnownWords`, encrypted with `SECRETS_KEY`. */
  @Column({ type: 'text' }) sealed!: string;

  /** 30 days after the first run. */
  @Column({ name: 'expires_at', type: 'timestamptz' }) expiresAt!: Date;
}
