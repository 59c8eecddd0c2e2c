import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { TableRules } from '@app/lifecycle/table-rules';
import { Settings } from '@app/platform/process/settings';

/**
 * Counts up to $2 mails of the organisation $1 in this hour, within its limit $3. The
 * row lock serialises callers.
 */
const TAKE = `
  INSERT INTO mail_budgets AS b (organisation_id, hour, used, granted)
  VALUES ($1, date_trunc('hour', now(), 'UTC'), least($2::integer, $3::integer), least($2::integer, $3::integer))
  ON CONFLICT (organisation_id) DO UPDATE SET
    hour = EXCLUDED.hour,
    used = CASE WHEN b.hour = EXCLUDED.hour THEN b.used ELSE 0 END
      + greatest(0, least($2::integer, $3::integer - CASE WHEN b.hour = EXCLUDED.hour THEN b.used ELSE 0 END)),
    granted = greatest(0, least($2::integer, $3::integer - CASE WHEN b.hour = EXCLUDED.hour THEN b.used ELSE 0 END))
  RETURNING granted`;

const GIVE_BACK = 'UPDATE mail_budgets SET used = used - $2 WHERE organisation_id = $1 AND used >= $2';

const NEXT_HOUR = `SELECT date_trunc('hour', now(), 'UTC') + interval '1 hour' AS "nextHour"`;

/** Moves the hours of all budgets back by the whole hours in $1 seconds, for the test clock. */
export const MOVE_MAIL_BUDGETS =
  'UPDATE mail_budgets SET hour = hour - make_interval(hours => $1::integer / 3600)';

/** The mails that the users of an organisation may cause in an hour of the clock (`MAIL_HOURLY_LIMIT`). */
@Injectable()
export class MailBudget {
  constructor(private readonly settings: Settings) {}

  /** Counts the wanted mails, and returns how many of them may be sent in this hour. */
  async take(manager: EntityManager, organisationId: number, wanted: number): Promise<number> {
    const { mailHourlyLimit } = this.settings;
    if (mailHourlyLimit === 'off' || wanted === 0) return wanted;
    const [row] = await manager.query<{ granted: number }[]>(TAKE, [organisationId, wanted, mailHourlyLimit]);
    return (row as { granted: number }).granted;
  }

  /**
   * Takes mails that are not sent from the count, in the transaction that took them: its lock keeps the hour.
   */
  async giveBack(manager: EntityManager, organisationId: number, unused: number): Promise<void> {
    if (this.settings.mailHourlyLimit === 'off' || unused === 0) return;
    await manager.query(GIVE_BACK, [organisationId, unused]);
  }

  /** The time from which mails beyond the budget may be sent. */
  async nextHour(manager: EntityManager): Promise<Date> {
    const [row] = await manager.query<{ nextHour: Date }[]>(NEXT_HOUR);
    return (row as { nextHour: Date }).nextHour;
  }
}

export const MAIL_BUDGET_RULES: TableRules = {
  table: 'mail_budgets',
  outdated: `hour < now() - interval '1 day'`,
};
