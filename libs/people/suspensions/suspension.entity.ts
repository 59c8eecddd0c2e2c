import { Check, Column, Entity, ForeignKey, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { Organisation } from '@app/people/organisations/organisation.entity';
import { User } from '@app/people/users/user.entity';

/** Suspends the users of an organisation, of all organisations beneath it, or of both. */
@Entity('suspensions', {
  comment:
    'Users of these organisations are refused: of the organisation itself, of all that lies beneath it, or both.',
})
@Unique('suspensions_once', ['organisationId'])
@Check('suspensions_of_something', 'itself OR beneath')
@Check('suspensions_operator_stays', 'organisation_id <> 1')
export class Suspension {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' }) id!: number;
  @Column({ type: 'integer' }) @ForeignKey(() => Organisation) organisationId!: number;

  /** Suspends the users of the organisation. */
  @Column({ type: 'boolean' }) itself!: boolean;

  /** Suspends the users of all organisations beneath it. */
  @Column({ type: 'boolean' }) beneath!: boolean;
  @Column({ type: 'varchar', length: 1000 }) reason!: string;

  /** The user who set it last; null for a service key. */
  @Column({ type: 'integer', nullable: true })
  @ForeignKey(() => User, { name: 'suspensions_user_exists' })
  byUserId!: number | null;

  @Column({
    type: 'integer',
    comment:
      'The organisation of the suspender, a user or a service key: who is beneath it cannot lift the suspension.',
  })
  @ForeignKey(() => Organisation, { name: 'suspensions_suspender_exists' })
  byOrganisationId!: number;

  @Column({ type: 'timestamptz', default: () => 'now()' }) since!: Date;
}
