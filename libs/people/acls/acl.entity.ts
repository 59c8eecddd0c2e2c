import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { Organisation } from '@app/people/organisations/organisation.entity';

/** A grant: the users of the grantee may read the organisation. */
@Entity('acls', { comment: 'The users of grantee may read organisation.' })
@Unique('acls_once', ['organisationId', 'granteeId'])
@Check('acls_not_to_itself', 'organisation_id <> grantee_id')
@Index('acls_of_grantee', ['granteeId', 'organisationId'])
@Index('acls_of_giver', ['giverOrganisationId', 'organisationId'], {
  where: 'giver_organisation_id IS NOT NULL',
})
export class Acl {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' }) id!: number;
  @Column({ type: 'integer' }) @ForeignKey(() => Organisation) organisationId!: number;
  @Column({ type: 'integer' }) @ForeignKey(() => Organisation) granteeId!: number;

  @Column({
    type: 'integer',
    nullable: true,
    comment:
      'The organisation above that gave it, and without whose reach it ends; null: it does not depend on any.',
  })
  @ForeignKey(() => Organisation, { name: 'acls_giver_exists' })
  giverOrganisationId!: number | null;

  @Column({ type: 'timestamptz', default: () => 'now()' }) createdAt!: Date;
}
