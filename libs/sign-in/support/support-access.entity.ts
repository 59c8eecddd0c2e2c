import { Check, Column, Entity, ForeignKey, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { Organisation } from '@app/people/organisations/organisation.entity';
import type { SupportAccess } from './support.types';

/**
 * The consent of an organisation. If a new consent allows less, triggers end the support logins
 * that it no longer allows.
 */
@Entity('support_access', {
  comment:
    'What support logins of the users of an organisation may do. An organisation without a row lets them read.',
})
@Unique('support_access_once', ['organisationId'])
@Check('support_access_known', `access IN ('none', 'read', 'write')`)
export class SupportAccessOfOrganisation {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' }) id!: number;
  @Column({ type: 'integer' }) @ForeignKey(() => Organisation) organisationId!: number;
  @Column({ type: 'varchar', length: 5 }) access!: SupportAccess;
}
