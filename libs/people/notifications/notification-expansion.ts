import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { MailBounds, type WaitingPosts } from '@app/mail/mail-bounds';
import { takeTurn } from '@app/mail/mail-jobs';
import { Transactions } from '@app/platform/database/transactions';
import { JobHandler, type RunningJob } from '@app/platform/jobs/job-handler';
import { ADD_CONTACTS_OF_MANAGERS, ADD_CONTACTS_OF_USERS } from './contact-recipients';
import { EXPAND_NOTIFICATION, type ExpansionJob, queueExpansion } from './notification-recorder';

const HAS_UNRELEASED = `
  SELECT FROM notification_recipients WHERE notification_id = $1 AND status = 'queued' AND queued_at IS NULL LIMIT 1`;

const SETTLE = `SELECT settle_notification($1)`;

/**
 * What people post is expanded one after the other for each customer: one to thousands of contacts takes
 * seconds, and a customer who posts hundreds would have every worker for minutes.
 */
const TAKE_TURN_OF_CUSTOMER = `
  SELECT pg_try_advisory_xact_lock(hashtext('${EXPAND_NOTIFICATION}'), customer_id) AS "isFree",
    now() + interval '1 second' AS later
  FROM notifications WHERE id = $1`;

interface Turn {
  readonly isFree: boolean;
  /** When the job asks again. */
  readonly later: Date;
}

interface Begun {
  readonly customerId: number;
  readonly isWritten: boolean;
}

/** If the job of the last batch runs again, this finds no row. */
const BEGIN = `
  SELECT customer_id AS "customerId", is_written AS "isWritten" FROM notifications WHERE id = $1 AND NOT is_expanded FOR NO KEY UPDATE`;

/** Mails of posts in the line of the customer of the notification $1, and those of its organisation. */
const WAITING_POSTS = `
  SELECT count(*)::integer AS "ofCustomer",
    (count(*) FILTER (WHERE waiting.organisation_id = n.organisation_id))::integer AS "ofOrganisation"
  FROM notifications n
  JOIN notifications waiting ON waiting.customer_id = n.customer_id AND waiting.status = 0 AND waiting.is_written
  JOIN notification_recipients r ON r.notification_id = waiting.id
  WHERE n.id = $1 AND r.status = 'queued' AND r.queued_at IS NULL`;

const END = 'UPDATE notifications SET is_expanded = true WHERE id = $1';

/**
 * Writes the recipients of a notification that its event did not write, those of some users in each job, so
 * that no number of contacts is too many for a statement. Their mails are released in turn, in the line of
 * the customer who caused it.
 */
@Injectable()
export class ExpandNotificationHandler extends JobHandler {
  readonly task = EXPAND_NOTIFICATION;

  constructor(
    private readonly transactions: Transactions,
    private readonly bounds: MailBounds,
  ) {
    super();
  }

  async run(payload: unknown, { ctx, priority }: RunningJob): Promise<void> {
    const expansion = payload as ExpansionJob;
    const { notificationId } = expansion;
    await this.transactions.run(ctx, async (manager) => {
      if (priority === 'bulk') {
        const [turn] = await manager.query<Turn[]>(TAKE_TURN_OF_CUSTOMER, [notificationId]);
        if (turn?.isFree === false)
          return queueExpansion(manager, expansion, { priority, runAt: turn.later });
      }
      const [begun] = await manager.query<Begun[]>(BEGIN, [notificationId]);
      if (begun === undefined) return;
      const room = begun.isWritten ? await this.roomFor(manager, notificationId, begun.customerId) : null;
      const afterUserId = await addContacts(manager, expansion, room);
      if (afterUserId === undefined) {
        await manager.query(END, [notificationId]);
        // A notification without queued recipients gets its final status at once.
        await manager.query(SETTLE, [notificationId]);
      } else await queueExpansion(manager, { ...expansion, afterUserId }, { priority });
      const unreleased = await manager.query<unknown[]>(HAS_UNRELEASED, [notificationId]);
      if (unreleased.length > 0) await takeTurn(manager, begun.customerId);
    });
  }

  /** How many more mails of the post may wait. Null: any number. */
  private async roomFor(
    manager: EntityManager,
    notificationId: number,
    customerId: number,
  ): Promise<number | null> {
    const most = await this.bounds.mostWaiting(manager, customerId);
    if (most === undefined) return null;
    const [waiting] = await manager.query<[WaitingPosts]>(WAITING_POSTS, [notificationId]);
    const { ofCustomer, ofOrganisation } = waiting;
    return Math.min(most.ofCustomer - ofCustomer, most.ofOrganisation - ofOrganisation);
  }
}

/** Writes the recipients of one batch. Returns the user after whom the next one begins, if there is one. */
async function addContacts(
  manager: EntityManager,
  { notificationId, everyContact, roles, keepsWords = false, afterUserId = 0 }: ExpansionJob,
  room: number | null,
): Promise<number | undefined> {
  const values = [notificationId, afterUserId, keepsWords];
  const [more] = await (everyContact
    ? manager.query<{ lastUserId: number }[]>(ADD_CONTACTS_OF_USERS, [...values, roles, room])
    : manager.query<{ lastUserId: number }[]>(ADD_CONTACTS_OF_MANAGERS, values));
  return more?.lastUserId;
}
