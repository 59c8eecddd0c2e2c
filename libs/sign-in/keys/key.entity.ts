import { Column } from 'typeorm';

/** A long-lived credential for programs: the columns of every kind of key. */
export abstract class Key {
  @Column({ type: 'varchar', length: 255 }) name!: string;
  @Column({ type: 'bytea', comment: 'SHA-256 of the key, which itself is stored nowhere.' }) digest!: Buffer;

  /** Canonical IP addresses and CIDR ranges of permitted clients; empty for any. */
  @Column({ type: 'text', array: true, default: [] }) whitelist!: string[];
  @Column({ type: 'timestamptz', default: () => 'now()' }) createdAt!: Date;

  /** Updated at most once a minute. */
  @Column({ type: 'timestamptz', nullable: true }) lastUsedAt!: Date | null;
  @Column({ type: 'timestamptz' }) expiresAt!: Date;

  /** Time of its only rotation. */
  @Column({ type: 'timestamptz', nullable: true }) rotatedAt!: Date | null;

  /** The days before its end at which its owner was last notified. */
  @Column({ type: 'smallint', nullable: true }) notifiedDaysLeft!: number | null;

  /** Counts changes of the record itself; a trigger increments it. */
  @Column({ type: 'integer', default: 1, insert: false, update: false }) version!: number;
}
