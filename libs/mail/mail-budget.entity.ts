import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The mails of an organisation in one hour. Only `MailBudget` writes it; a clean-up deletes old rows. */
@Entity('mail_budgets')
export class MailBudgetUse {
  /** No foreign key, so that a deletion does not wait for a count that is kept for a day. */
  @PrimaryColumn({ type: 'integer' })
  organisationId!: number;

  /** Start of the hour that `used` counts. */
  @Column({ type: 'timestamptz' }) hour!: Date;
  @Column({ type: 'integer', comment: 'Mails of all pots.' }) used!: number;

  @Column({
    type: 'integer',
    default: 0,
    comment: 'Of these, news of what users do to their own accounts.',
  })
  usedByAccounts!: number;

  @Column({
    type: 'integer',
    default: 0,
    comment: 'Of these, the other news of System that the service writes itself.',
  })
  usedByAlarms!: number;
}
