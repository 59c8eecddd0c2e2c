import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/**
 * The columns of a row that a change touched, by column name. Columns with secrets
 * have the value `(changed)`.
 */
export type AuditedColumns = Readonly<Record<string, unknown>>;

/** Rows whose actor belongs to another organisation than the record. */
const BY_OTHERS = 'acting_organisation_id IS NOT NULL';

/** A change of a row, written by a trigger in the transaction of the change and never updated. */
@Entity('audit_log', {
  comment: 'Every change of credentials, rights, users, organisations and grants; append-only.',
})
@Index('audit_log_of_organisation', ['organisationId', 'id'])
@Index('audit_log_of_record', ['tableName', 'recordId', 'id'])
@Index('audit_log_by_actor', ['actorUserId', 'id'], { where: 'actor_user_id IS NOT NULL' })
@Index('audit_log_by_time', ['at'])
@Index('audit_log_of_organisation_and_kind', ['organisationId', 'tableName', 'id'])
@Index('audit_log_of_organisation_by_others', ['organisationId', 'actorUserId', 'id'], { where: BY_OTHERS })
@Index('audit_log_by_acting_organisation', ['actingOrganisationId', 'id'], { where: BY_OTHERS })
@Index('audit_log_by_acting_organisation_and_kind', ['actingOrganisationId', 'tableName', 'id'], {
  where: BY_OTHERS,
})
export class AuditEntry {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: number;

  /** Start of the transaction. All rows of one transaction have the same time. */
  @Column({ type: 'timestamptz', default: () => 'now()' }) at!: Date;
  @Column({ type: 'integer', nullable: true }) actorUserId!: number | null;

  /** See `ActorCredential`. Null, like all columns of the actor, for changes that bypass the service. */
  @Column({ type: 'varchar', length: 32, nullable: true }) actorCredentialKind!: string | null;
  @Column({ type: 'integer', nullable: true }) actorCredentialId!: number | null;

  /** The name of an actor that is not a user. */
  @Column({ type: 'varchar', length: 255, nullable: true }) actorName!: string | null;
  @Column({ type: 'varchar', length: 45, nullable: true }) address!: string | null;
  @Column({ type: 'varchar', length: 64, nullable: true }) requestId!: string | null;
  @Column({ type: 'varchar', length: 6 }) action!: 'insert' | 'update' | 'delete';
  @Column({ type: 'varchar', length: 63 }) tableName!: string;
  @Column({ type: 'integer' }) recordId!: number;

  /** The organisation that the record belongs to; null for rows that were deleted with their team. */
  @Column({ type: 'integer', nullable: true }) organisationId!: number | null;

  @Column({
    type: 'integer',
    nullable: true,
    comment: 'Organisation of the acting user, where it is another than that of the record.',
  })
  actingOrganisationId!: number | null;

  @Column({
    type: 'integer',
    nullable: true,
    comment: 'The user in whose name the actor acted, with a support login.',
  })
  onBehalfOf!: number | null;

  @Column({
    name: 'grant_id',
    type: 'integer',
    nullable: true,
    comment: 'The grant by which the actor acted.',
  })
  grantId!: number | null;

  /** Null for an insert. */
  @Column({ type: 'jsonb', nullable: true }) before!: AuditedColumns | null;

  /** Null for a delete. */
  @Column({ type: 'jsonb', nullable: true }) after!: AuditedColumns | null;
}
