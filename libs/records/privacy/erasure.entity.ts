import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An erased user. A row may come from another database, which knew the user. */
@Entity('erasures')
export class Erasure {
  @PrimaryColumn({ name: 'user_id', type: 'integer', primaryKeyConstraintName: 'erasures_pkey' })
  userId!: number;

  /** The day of the first erasure, in UTC. */
  @Column({ name: 'erased_on', type: 'date' }) erasedOn!: string;
}
