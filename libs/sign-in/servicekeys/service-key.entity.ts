import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { Organisation } from '@app/people/organisations/organisation.entity';
import { Key } from '@app/sign-in/keys/key.entity';

/** A long-lived credential of an organisation, for programs. It remains valid after its maker is deleted. */
@Entity('service_keys', {
  comment: 'Credentials of organisations, for programs. No user stands behind them.',
})
@Unique('service_keys_digest_unique', ['digest'])
@Check('service_keys_some_operations', 'cardinality(operations) BETWEEN 1 AND 100')
@Check('service_keys_admins_of_operator', 'NOT as_admin OR organisation_id = 1')
@Index('service_keys_of_organisation', ['organisationId', 'id'])
@Index('service_keys_by_end', ['expiresAt'])
@Index('service_keys_made_from_above', ['madeByOrganisation', 'organisationId'], {
  where: 'made_by_organisation IS NOT NULL',
})
export class ServiceKey extends Key {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' }) id!: number;
  @Column({ type: 'integer' }) @ForeignKey(() => Organisation) organisationId!: number;

  /** Operations of the privilege table, and groups of them such as `contacts.*`. */
  @Column({ type: 'text', array: true }) operations!: string[];

  /** The key also acts on the organisations beneath its own. */
  @Column({ name: 'reaches_beneath', type: 'boolean', default: false }) beneath!: boolean;

  @Column({
    type: 'integer',
    nullable: true,
    comment:
      'The organisation above that made it, and without whose reach it ends; null: it does not depend on any.',
  })
  @ForeignKey(() => Organisation)
  madeByOrganisation!: number | null;

  @Column({
    type: 'boolean',
    default: false,
    comment: 'An admin made it for the operator organisation: it acts as an admin.',
  })
  asAdmin!: boolean;
}
