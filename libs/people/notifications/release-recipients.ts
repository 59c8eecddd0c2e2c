import type { EntityManager } from 'typeorm';
import { countedNews, HELD_BACK, MOST_ACCOUNT_NEWS, MOST_NEWS } from '@app/mail/address-news';
import { POT_OF_RECIPIENT } from '@app/mail/news-pots';

/**
 * Counts the mails to the recipients $1 at their addresses and releases them, or skips those beyond the most
 * of an hour. The organisation $2 is the one that they count for. Counts in the order of the addresses, so
 * that two transactions never wait for each other.
 */
const RELEASE = `
  WITH verdicts AS MATERIALIZED (
    SELECT id, CASE WHEN kind IS NULL THEN 'open'
      ELSE ${countedNews('$2::integer', 'address', 'pot', 'kind')} END AS verdict
    FROM (
      SELECT r.id, r.value AS address, n.counts_as AS kind, ${POT_OF_RECIPIENT} AS pot
      FROM notification_recipients r JOIN notifications n ON n.id = r.notification_id
      WHERE r.id = ANY ($1::integer[])
      ORDER BY fold_case(r.value), pot, r.id) ordered
  )
  UPDATE notification_recipients r SET
    queued_at = CASE WHEN v.verdict <> 'held' THEN now() END,
    status = CASE v.verdict WHEN 'held' THEN 'skipped' ELSE r.status END,
    message = CASE v.verdict WHEN 'held' THEN $3 ELSE r.message END,
    ends_news = CASE WHEN v.verdict IN ('accounts', 'all', 'kind') THEN v.verdict END
  FROM verdicts v WHERE v.id = r.id RETURNING r.id, v.verdict <> 'held' AS "isReleased"`;

/** Returns the recipients whose mails may be sent, in the order of their ids. */
export async function releaseRecipients(
  manager: EntityManager,
  organisationId: number,
  ids: readonly number[],
): Promise<number[]> {
  if (ids.length === 0) return [];
  const [rows] = await manager.query<[{ id: number; isReleased: boolean }[], number]>(RELEASE, [
    ids,
    organisationId,
    HELD_BACK,
  ]);
  return rows
    .filter(({ isReleased }) => isReleased)
    .map(({ id }) => id)
    .sort((one, other) => one - other);
}

/**
 * Of the recipients $1, which wait for another hour, skips those whose addresses have, with what waits for
 * them, the most of an hour already. So noise waits in no long row before what happens later.
 */
const SKIP_BEYOND_HOUR = `
  UPDATE notification_recipients r SET status = 'skipped', message = $3
  FROM (
    SELECT w.id, coalesce(CASE WHEN w.is_account THEN a.account_mails ELSE a.mails END, 0)
      + row_number() OVER (PARTITION BY w.digest, w.pot, w.is_account ORDER BY w.id)
      > CASE WHEN w.is_account THEN ${MOST_ACCOUNT_NEWS} ELSE ${MOST_NEWS} END AS "isBeyond"
    FROM (
      SELECT r.id, address_digest(r.value) AS digest, ${POT_OF_RECIPIENT} AS pot, n.counts_as = 'account' AS is_account
      FROM notification_recipients r JOIN notifications n ON n.id = r.notification_id
      WHERE r.id = ANY ($1::integer[]) AND n.counts_as IS NOT NULL) w
    LEFT JOIN address_news a ON a.organisation_id = $2 AND a.address_digest = w.digest AND a.pot = w.pot
      AND a.hour >= date_trunc('hour', now(), 'UTC')
  ) placed WHERE placed.id = r.id AND placed."isBeyond"`;

/** Returns the number of those that it skips. */
export async function skipBeyondHour(
  manager: EntityManager,
  organisationId: number,
  ids: readonly number[],
): Promise<number> {
  const [, skipped] = await manager.query<[unknown[], number]>(SKIP_BEYOND_HOUR, [
    ids,
    organisationId,
    HELD_BACK,
  ]);
  return skipped;
}
