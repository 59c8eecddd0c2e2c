import { prepared } from '@app/platform/database/pg-reads/database-reads';
import { isSuspended } from '@app/security/access/access.queries';

/**
 * Maximum webhooks tried at once, in all processes, whose last try failed or took long: for each
 * organisation, and for each customer with all its organisations.
 */
const MOST_SLOW_OF_ORGANISATION = 2;
const MOST_SLOW_OF_CUSTOMER = 4;
/**
 * Maximum other webhooks of a customer tried at once, including new ones. An
 * organisation has no smaller limit.
 */
const MOST_QUICK_OF_CUSTOMER = 20;

/** Longer than any turn with its last try. After this time the process counts as dead. */
const LONGEST_TURN = '30 seconds';

/** A webhook to try now. */
export interface DueWebhook {
  readonly id: number;
  readonly isSlow: boolean;
}

/**
 * At most $1 slow webhooks and $2 others with a due delivery. Customers take turns, and so do the
 * organisations of a customer; in an organisation, the webhook with the oldest last try comes first.
 * Deliveries of suspended organisations keep waiting. An index finds what is due, so what waits longer costs
 * nothing.
 */
export const DUE = prepared<DueWebhook>(`
  WITH due AS (
    SELECT id, organisation_id, customer_id, is_slow, taken_until, taken_until > now() AS is_taken
    FROM webhooks WHERE next_due_at <= now() AND NOT ${isSuspended('webhooks.organisation_id')}
  ), of_organisation AS (
    SELECT *, row_number() OVER (
      PARTITION BY organisation_id, is_slow ORDER BY is_taken DESC, taken_until, id) AS place FROM due
  ), of_customer AS (
    SELECT *, row_number() OVER (
      PARTITION BY customer_id, is_slow ORDER BY is_taken DESC, place, taken_until, id) AS place_of_customer
    FROM of_organisation WHERE place <= CASE WHEN is_slow THEN ${MOST_SLOW_OF_ORGANISATION} ELSE ${MOST_QUICK_OF_CUSTOMER} END
  ), of_all AS (
    SELECT *, row_number() OVER (PARTITION BY is_slow ORDER BY place_of_customer, taken_until, id) AS place_of_all
    FROM of_customer WHERE NOT is_taken
      AND place_of_customer <= CASE WHEN is_slow THEN ${MOST_SLOW_OF_CUSTOMER} ELSE ${MOST_QUICK_OF_CUSTOMER} END
  )
  SELECT id, is_slow AS "isSlow" FROM of_all WHERE place_of_all <= CASE WHEN is_slow THEN $1::integer ELSE $2::integer END`);

/** Only one process handles a webhook at a time, so that its messages stay in order. */
export const TAKE = `
  WITH free AS (
    SELECT id FROM webhooks WHERE id = ANY ($1) AND taken_until <= now() ORDER BY id FOR UPDATE SKIP LOCKED
  ), taken AS (
    UPDATE webhooks w SET taken_until = now() + interval '${LONGEST_TURN}' FROM free WHERE w.id = free.id
    RETURNING w.id, w.is_slow AS "isSlow")
  SELECT * FROM taken`;

/** Locks the webhooks $1 for the end of their turns. */
export const LOCK_TAKEN = `SELECT FROM webhooks WHERE id = ANY ($1) ORDER BY id FOR UPDATE`;

/**
 * Ends the turns of the webhooks $1; `taken_until` then is the time of the last try. Only after the lock, in
 * a statement of its own: it sees each delivery that was added until then.
 */
export const GIVE_BACK = `
  UPDATE webhooks SET taken_until = now(), next_due_at = (
    SELECT min(next_try_at) FROM webhook_deliveries WHERE webhook_id = webhooks.id AND next_try_at IS NOT NULL)
  WHERE id = ANY ($1)`;
