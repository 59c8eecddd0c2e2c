import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Organisation } from '@app/people/organisations/organisation.entity';
import { User } from '@app/people/users/user.entity';
import type { ContactType } from './address-rules';
import type { ContactGroup } from './contact.types';

/** An address that notifications go to: a user's, or the organisation's own. */
@Entity('contacts')
@Check('contacts_type_known', `type IN ('email', 'phone', 'slack')`)
@Check('contacts_groups_known', `groups <@ ARRAY['System', 'Domain', 'App', 'Finance', 'Job', 'Crm', 'Mail']`)
@Index('contacts_unique_for_user', ['userId', 'type', 'uniqueKey'], {
  unique: true,
  where: 'user_id IS NOT NULL',
})
@Index('contacts_unique_for_organisation', ['organisationId', 'type', 'uniqueKey'], {
  unique: true,
  where: 'user_id IS NULL',
})
@Index('contacts_of_organisation', ['organisationId', 'id'])
@Index('contacts_of_user', ['userId', 'id'])
export class Contact {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' }) id!: number;
  @Column({ type: 'integer' }) @ForeignKey(() => Organisation) organisationId!: number;

  @Column({ type: 'integer', nullable: true, comment: 'Null for a contact of the organisation itself.' })
  @ForeignKey(() => User)
  userId!: number | null;

  /** Fixed at creation. */
  @Column({ type: 'varchar', length: 8 }) type!: ContactType;

  /** The address, in its canonical form. */
  @Column({ type: 'varchar', length: 254 }) name!: string;

  @Column({
    type: 'varchar',
    length: 254,
    comment: 'Equal for two spellings of one address of the same type.',
  })
  uniqueKey!: string;

  /** The enabled groups. */
  @Column({ type: 'text', array: true, default: [] }) groups!: ContactGroup[];
  @Column({ type: 'timestamptz', default: () => 'now()' }) createdAt!: Date;

  /** When the address last changed; a trigger updates it. */
  @Column({ type: 'timestamptz', nullable: true, insert: false, update: false })
  addressChangedAt!: Date | null;

  /** Counts changes of the record itself; a trigger increments it. */
  @Column({ type: 'integer', default: 1, insert: false, update: false }) version!: number;
}
