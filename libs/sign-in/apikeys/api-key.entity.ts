import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { User } from '@app/people/users/user.entity';
import { Key } from '@app/sign-in/keys/key.entity';

/** A long-lived credential for programs, with the user's current rights. */
@Entity('api_keys')
@Unique('api_keys_digest_unique', ['digest'])
@Index('api_keys_of_user', ['userId', 'id'])
@Index('api_keys_by_end', ['expiresAt'])
export class ApiKey extends Key {
  @PrimaryGeneratedColumn('identity', {
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'api_keys_pkey',
  })
  id!: number;

  @Column({ name: 'user_id', type: 'integer' })
  @ForeignKey(() => User, { name: 'api_keys_user_exists' })
  userId!: number;

  /** Permits only GET and HEAD. Never changes. */
  @Column({ name: 'read_only', type: 'boolean', default: false }) readOnly!: boolean;
}
