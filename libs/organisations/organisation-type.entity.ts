import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Reference data, written by the migration: 1 Customer, 2 Reseller, 3 Operator. */
@Entity('organisation_types')
export class OrganisationType {
  @PrimaryColumn({ type: 'smallint', primaryKeyConstraintName: 'organisation_types_pkey' })
  identifier!: number;

  @Column({ type: 'varchar', length: 64 })
  description!: string;
}
