import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How much an organisation has used of its hour. `MailBudget` alone writes it; old rows are cleared away. */
@Entity('mail_budgets')
export class MailBudgetUse {
  /** No foreign key: a deletion need not wait for a count that is gone within a day. */
  @PrimaryColumn({
    name: 'organisation_id',
    type: 'integer',
    primaryKeyConstraintName: 'mail_budgets_pkey',
  })
  organisationId!: number;

  /** When the hour began that `used` counts in. */
  @Column({ type: 'timestamptz' })
  hour!: Date;

  @Column({ type: 'integer' })
  used!: number;

  /** How many of the mails that were wanted last found a place: what the taking statement gives back. */
  @Column({ type: 'integer' })
  granted!: number;
}
