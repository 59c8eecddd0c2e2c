import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { User } from '@app/people/users/user.entity';

/** A former e-mail address of a contact. Recovery mail for its user still goes there for some time. */
@Entity('former_contacts')
@Index('former_contacts_of_user', ['userId', 'removedAt'])
@Index('former_contacts_by_age', ['removedAt'])
export class FormerContact {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' }) id!: number;
  @Column({ type: 'integer' }) @ForeignKey(() => User) userId!: number;
  @Column({ type: 'varchar', length: 254 }) name!: string;
  @Column({ type: 'timestamptz', comment: 'When the contact got the address.' }) since!: Date;
  @Column({ type: 'timestamptz', default: () => 'now()' }) removedAt!: Date;
}
