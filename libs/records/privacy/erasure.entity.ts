import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An erased user. The row may come from another database, where the user existed. */
@Entity('erasures')
export class Erasure {
  @PrimaryColumn({ type: 'integer' }) userId!: number;

  /** The time of the first erasure. */
  @Column({ type: 'timestamptz' }) erasedAt!: Date;
}
