import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The mails of an organisation in one hour. Only `MailBudget` writes it; a clean-up deletes old rows. */
@Entity('mail_budgets')
export class MailBudgetUse {
  /** No foreign key, so that a deletion does not wait for a count that is kept for a day. */
  @PrimaryColumn({ type: 'integer' })
  organisationId!: number;

  /** Start of the hour that `used` counts. */
  @Column({ type: 'timestamptz' }) hour!: Date;
  @Column({ type: 'integer' }) used!: number;

  /** Mails that the last statement granted; it returns the number. */
  @Column({ type: 'integer' }) granted!: number;
}
