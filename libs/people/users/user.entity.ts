import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Organisation } from '@app/people/organisations/organisation.entity';
import type { Role } from '@app/security/access/roles';
import type { Language, SecondFactor } from './user.types';

/** A person who can log in. The organisation never changes. */
@Entity('users')
@Check('users_language_known', `language IN ('nl', 'en', 'fr')`)
@Check(
  'users_roles_known',
  `roles <@ ARRAY['ROLE_ADMIN', 'ROLE_CUSTADMIN', 'ROLE_FINANCE', 'ROLE_SYSTEM', 'ROLE_DOMAIN', 'ROLE_MAIL', 'ROLE_APP']`,
)
@Check('users_admins_are_operators', `organisation_id = 1 OR NOT roles @> ARRAY['ROLE_ADMIN']`)
@Check('users_second_factor_known', `second_factor IN ('disabled', 'requested', 'enabled')`)
@Check(
  'users_second_factor_has_secret',
  `(second_factor <> 'enabled' OR totp_secret IS NOT NULL) AND (second_factor <> 'disabled' OR (totp_secret IS NULL AND totp_last_step IS NULL))`,
)
@Check('users_former_username_timed', 'former_username IS NULL OR renamed_at IS NOT NULL')
@Index('users_username_unique', { synchronize: false })
@Index('users_former_username', { synchronize: false })
@Index('users_of_organisation', ['organisationId', 'id'], { where: 'deleted_at IS NULL' })
@Index('users_enabled_admins', { synchronize: false })
@Index('users_managers', { synchronize: false })
@Index('users_search', { synchronize: false })
export class User {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' }) id!: number;
  @Column({ type: 'integer' }) @ForeignKey(() => Organisation) organisationId!: number;

  /** An e-mail address, or a login name in Variant B; unique, ignoring case. */
  @Column({ type: 'varchar', length: 254 }) username!: string;
  @Column({ type: 'varchar', length: 255 }) firstName!: string;
  @Column({ type: 'varchar', length: 255 }) lastName!: string;
  @Column({ type: 'varchar', length: 2, default: 'nl' }) language!: Language;
  @Column({ type: 'text', array: true, default: [] }) roles!: Role[];
  @Column({ type: 'boolean', default: true }) enabled!: boolean;

  /** A bcrypt hash, or a crypt hash of the previous panel until the first right login. */
  @Column({ type: 'varchar', length: 255 }) passwordHash!: string;
  @Column({ type: 'varchar', length: 16, default: 'disabled' }) secondFactor!: SecondFactor;

  /** The TOTP secret, encrypted. */
  @Column({ type: 'text', nullable: true }) totpSecret!: string | null;

  /** The last accepted 30-second step. Codes of this and older steps are refused. */
  @Column({ type: 'bigint', nullable: true }) totpLastStep!: number | null;

  /** When the second factor last changed its state; a trigger updates it. */
  @Column({ type: 'timestamptz', nullable: true, insert: false, update: false })
  secondFactorChangedAt!: Date | null;

  /** Free text from the order form of the operator's website (Variant B). */
  @Column({ type: 'varchar', length: 4000, nullable: true }) websiteOrderInformation!: string | null;
  @Column({ type: 'timestamptz', default: () => 'now()' }) createdAt!: Date;
  @Column({ type: 'timestamptz', nullable: true }) deletedAt!: Date | null;

  @Column({
    type: 'boolean',
    default: true,
    comment: 'A link that was mailed to the name was used, or the operator gave the name (rule recovery 17).',
  })
  usernameVerified!: boolean;

  @Column({
    type: 'varchar',
    length: 254,
    nullable: true,
    comment: 'The verified name that an own rename replaced: see former_name.',
  })
  formerUsername!: string | null;

  @Column({
    type: 'timestamptz',
    nullable: true,
    comment: 'The own rename that replaced a verified name, or one that had no verified name to keep.',
  })
  renamedAt!: Date | null;

  /** Counts changes of the record itself; a trigger increments it. */
  @Column({ type: 'integer', default: 1, insert: false, update: false }) version!: number;
}
