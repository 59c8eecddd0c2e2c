import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Settings } from '@app/config/settings';
import type { TableRules } from '@app/lifecycle/table-rules';

/**
 * The pots of an hour (docs/rules/notifications.md): news of what users do to their own accounts, the other
 * news of System that the service writes itself, and all else. A pot takes nothing of the shares of
 * the others, so that no noise of one holds them back.
 */
export type MailPot = 'accounts' | 'alarms' | 'rest';

const TAKE = 'SELECT take_mails($1, $2, $3, $4) AS granted';

const GIVE_BACK = 'SELECT add_mails($1, $2, -$3::integer)';

const NEXT_HOUR = `SELECT date_trunc('hour', now(), 'UTC') + interval '1 hour' AS "nextHour"`;

/** Moves the hours of all budgets back by the whole hours in $1 seconds, for the test clock. */
export const MOVE_MAIL_BUDGETS =
  'UPDATE mail_budgets SET hour = hour - make_interval(hours => $1::integer / 3600)';

/** The mails that the users of an organisation may cause in an hour of the clock (`MAIL_HOURLY_LIMIT`). */
@Injectable()
export class MailBudget {
  constructor(private readonly settings: Settings) {}

  /** Counts the wanted mails, and returns how many of them may be sent in this hour. */
  async take(
    manager: EntityManager,
    organisationId: number,
    wanted: number,
    pot: MailPot = 'rest',
  ): Promise<number> {
    const { mailHourlyLimit } = this.settings;
    if (mailHourlyLimit === 'off' || wanted === 0) return wanted;
    const values = [organisationId, pot, wanted, mailHourlyLimit];
    const [row] = await manager.query<{ granted: number }[]>(TAKE, values);
    return (row as { granted: number }).granted;
  }

  /**
   * Takes mails that are not sent from the count, in the transaction that took them: its lock keeps the hour.
   */
  async giveBack(
    manager: EntityManager,
    organisationId: number,
    unused: number,
    pot: MailPot,
  ): Promise<void> {
    if (this.settings.mailHourlyLimit === 'off' || unused === 0) return;
    await manager.query(GIVE_BACK, [organisationId, pot, unused]);
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
