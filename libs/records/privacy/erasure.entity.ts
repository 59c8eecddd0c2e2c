import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An erased user. The row may come from another database, where the user existed. */
@Entity('erasures')
export class Erasure {
  @PrimaryColumn({ type: 'integer' }) userId!: number;

  /** The day of the first erasure, in UTC. */
  @Column({ type: 'date' }) erasedOn!: string;
}
