import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An erased user. A row may come from another database, which knew the user. */
@Entity('erasures')
export class Erasure {
  @PrimaryColumn({ type: 'integer' }) userId!: number;

  /** The day of the first erasure, in UTC. */
  @Column({ type: 'date' }) erasedOn!: string;
}
