import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { Organisation } from '@app/people/organisations/organisation.entity';
import type { MailDomain } from '@app/people/teams/team.types';
import type { EntityKind } from './entity.types';

/** An app, domain, mail group or system that another area of the panel manages. */
@Entity('entities')
@Unique('entities_once', ['kind', 'objectId'])
@Check('entities_kind_known', `kind IN ('app', 'domain', 'mailgroup', 'system')`)
@Check('entities_object_id_positive', 'object_id > 0')
@Check(
  'entities_domains_of_mailgroups',
  `(kind = 'mailgroup') = (domains IS NOT NULL) AND jsonb_typeof(domains) = 'array'`,
)
@Index('entities_of_organisation', ['organisationId', 'kind', 'objectId'])
export class RegisteredEntity {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' }) id!: number;
  @Column({ type: 'varchar', length: 16 }) kind!: EntityKind;

  /** Identifier in the area of the panel that manages the entity, and in responses. */
  @Column({ type: 'integer' }) objectId!: number;
  @Column({ type: 'integer' }) @ForeignKey(() => Organisation) organisationId!: number;
  @Column({ type: 'varchar', length: 255 }) name!: string;

  /** Only mail groups have domains; null for other kinds. */
  @Column({ type: 'jsonb', nullable: true }) domains!: MailDomain[] | null;
}
