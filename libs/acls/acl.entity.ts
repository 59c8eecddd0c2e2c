import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { Organisation } from '@app/organisations/organisation.entity';

/** A grant: the users of the grantee may read the organisation. */
@Entity('acls', { comment: 'The users of grantee may read organisation.' })
@Unique('acls_once', ['organisationId', 'granteeId'])
@Check('acls_not_to_itself', 'organisation_id <> grantee_id')
@Index('acls_of_grantee', ['granteeId', 'organisationId'])
export class Acl {
  @PrimaryGeneratedColumn('identity', {
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'acls_pkey',
  })
  id!: number;

  @Column({ name: 'organisation_id', type: 'integer' })
  @ForeignKey(() => Organisation, { name: 'acls_organisation_exists' })
  organisationId!: number;

  @Column({ name: 'grantee_id', type: 'integer' })
  @ForeignKey(() => Organisation, { name: 'acls_grantee_exists' })
  granteeId!: number;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;
}
