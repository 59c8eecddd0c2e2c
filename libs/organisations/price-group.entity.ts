import { Column, Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

/** What an organisation is invoiced by; the migration writes the one named `default`. */
@Entity('price_groups')
@Unique('price_groups_description_unique', ['description'])
export class PriceGroup {
  @PrimaryGeneratedColumn('identity', {
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'price_groups_pkey',
  })
  id!: number;

  @Column({ type: 'varchar', length: 255 })
  description!: string;
}
