import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { Organisation } from '@app/people/organisations/organisation.entity';
import { User } from '@app/people/users/user.entity';
import { ServiceKey } from '@app/sign-in/servicekeys/service-key.entity';

/** The response to a request with `Idempotency-Key`. */
@Entity('stored_responses', { comment: 'Responses that a request with the same Idempotency-Key gets again.' })
@Unique('stored_responses_digest_unique', ['digest'])
@Check('stored_responses_one_caller', 'num_nonnulls(user_id, service_key_id) = 1')
@Index('stored_responses_of_user', ['userId', 'place'])
@Index('stored_responses_of_service_key', ['serviceKeyId', 'place'])
export class StoredResponse {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' }) id!: number;
  @Column({ type: 'bytea', comment: 'SHA-256 of caller, method, path and key.' }) digest!: Buffer;
  @Column({ type: 'integer', nullable: true }) @ForeignKey(() => User) userId!: number | null;

  @Column({ type: 'integer', nullable: true })
  @ForeignKey(() => ServiceKey, { onDelete: 'CASCADE' })
  serviceKeyId!: number | null;

  @Column({ type: 'integer', nullable: true, comment: 'The organisation of the path.' })
  @ForeignKey(() => Organisation)
  @Index('stored_responses_of_organisation')
  organisationId!: number | null;

  @Column({
    type: 'text',
    comment: 'The response and a digest of the request body, encrypted with SECRETS_KEY.',
  })
  encrypted!: string;

  /** Sequence number per caller, set by a trigger that keeps the newest 1,000. */
  @Column({ type: 'integer', comment: 'Counts the responses of the caller.', insert: false, update: false })
  place!: number;

  @Column({ type: 'timestamptz', default: () => 'now()' }) @Index('stored_responses_by_age') createdAt!: Date;
}
