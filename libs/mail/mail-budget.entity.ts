import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The mails of an organisation in one hour. Only `MailBudget` writes it; a clean-up deletes old rows. */
@Entity('mail_budgets')
export class MailBudgetUse {
  /** No foreign key: a deletion need not wait for a count that lives for a day. */
  @PrimaryColumn({ type: 'integer' })
  organisationId!: number;

  /** Start of the hour that `used` counts. */
  @Column({ type: 'timestamptz' }) hour!: Date;
  @Column({ type: 'integer' }) used!: number;

  /** Mails of the last request within the limit: the statement returns it. */
  @Column({ type: 'integer' }) granted!: number;
}
