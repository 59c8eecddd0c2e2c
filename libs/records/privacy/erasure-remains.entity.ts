import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { User } from '@app/people/users/user.entity';

/** Names and addresses of an erased person that remain somewhere, for a second run. */
@Entity('erasure_remains')
export class ErasureRemain {
  @PrimaryColumn({ type: 'integer' }) @ForeignKey(() => User) userId!: number;

  /** JSON of `KnownWords`, encrypted with `SECRETS_KEY`. */
  @Column({ type: 'text' }) sealed!: string;

  /** 30 days after the first run. */
  @Column({ type: 'timestamptz' }) expiresAt!: Date;
}

/** The encryption context of the remains. */
export const remainsContext = (userId: number): string => `erasure_remains.sealed:${userId}`;
