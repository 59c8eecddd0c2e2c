import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { User } from '@app/people/users/user.entity';
import { Key } from '@app/sign-in/keys/key.entity';

/** A long-lived credential for programs, with the user's current rights. */
@Entity('api_keys')
@Unique('api_keys_digest_unique', ['digest'])
@Index('api_keys_of_user', ['userId', 'id'])
@Index('api_keys_by_end', ['expiresAt'])
export class ApiKey extends Key {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' }) id!: number;
  @Column({ type: 'integer' }) @ForeignKey(() => User) userId!: number;

  /** The key allows only GET and HEAD. This never changes. */
  @Column({ type: 'boolean', default: false }) readOnly!: boolean;
}
