import type { EntityManager } from 'typeorm';
import { countedNews, HELD_BACK } from '@app/mail/address-news';
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
