import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Organisation } from '@app/organisations/organisation.entity';

/** A group of users of one organisation, with the apps, domains, mail groups and systems that it works on. */
@Entity('teams')
@Index('teams_name_unique', { synchronize: false })
@Index('teams_of_organisation', ['organisationId', 'id'])
export class Team {
  @PrimaryGeneratedColumn('identity', {
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'teams_pkey',
  })
  id!: number;

  @Column({ name: 'organisation_id', type: 'integer' })
  @ForeignKey(() => Organisation, { name: 'teams_organisation_exists' })
  organisationId!: number;

  /** Unique in the organisation without regard to case. */
  @Column({ type: 'varchar', length: 255 })
  name!: string;

  /** Shown to clients; no request sets it (decisions.md section 7). */
  @Column({ name: 'admin_only', type: 'boolean', default: false })
  adminOnly!: boolean;

  /** Whether SSH keys of members are put on the team's systems, which is done by other areas of the panel. */
  @Column({ name: 'auto_add_sshkey', type: 'boolean', default: false })
  autoAddSshkey!: boolean;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;
}
