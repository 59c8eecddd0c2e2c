import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The news of one pot that an address was mailed in one hour. Only `count_address_news` writes it; a
 * clean-up deletes old rows.
 */
@Entity('address_news')
export class AddressNewsCount {
  /** No foreign key, so that a deletion does not wait for a count that is kept for a day. */
  @PrimaryColumn({ type: 'integer' })
  organisationId!: number;

  /** SHA-256 of the address in lower case: a count needs no readable address. */
  @PrimaryColumn({ type: 'bytea' })
  addressDigest!: Buffer;

  /** Which news it counts (`news-pots.ts`). */
  @PrimaryColumn({ type: 'varchar', length: 80 }) pot!: string;

  /** Start of the hour that is counted, UTC. */
  @Column({ type: 'timestamptz' }) hour!: Date;
  @Column({ type: 'integer' }) mails!: number;

  /** Those among `mails` about what users did to their own accounts. */
  @Column({ type: 'integer' }) accountMails!: number;
}
