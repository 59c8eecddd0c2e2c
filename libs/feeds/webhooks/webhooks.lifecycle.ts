import { organisationTable } from '@app/lifecycle/table-rules';
import { DELIVERY_RETENTION } from './webhook.columns';
import { WEBHOOK_CONSTRAINT_ERRORS } from './webhook.types';

/** Deliveries that one statement deletes. */
const BATCH = 10_000;

/** Number of newest deliveries of a webhook that are kept, besides waiting ones. */
const MOST_KEPT = 100_000;

const CLEAN_UP = [
  // Looks at only one delivery of each webhook.
  `WITH RECURSIVE known AS (
       (SELECT webhook_id FROM webhook_deliveries ORDER BY webhook_id LIMIT 1)
       UNION ALL
       SELECT following.* FROM known CROSS JOIN LATERAL (
         SELECT webhook_id FROM webhook_deliveries WHERE webhook_id > known.webhook_id ORDER BY webhook_id LIMIT 1) following
     ), deleted AS (
       DELETE FROM webhook_deliveries WHERE id IN (
         SELECT d.id FROM known CROSS JOIN LATERAL (
           SELECT id FROM webhook_deliveries WHERE webhook_id = known.webhook_id OFFSET 0) d
         WHERE NOT EXISTS (SELECT FROM webhooks w WHERE w.id = known.webhook_id) LIMIT ${BATCH})
       RETURNING id)
     SELECT count(*) = ${BATCH} AS more FROM deleted`,
  // Waiting deliveries are kept, however old, for the next try or the end of a suspension. A trigger limits their number for
  // each webhook.
  `WITH deleted AS (
       DELETE FROM webhook_deliveries WHERE id IN (
         SELECT id FROM webhook_deliveries
         WHERE created_at < now() - interval '${DELIVERY_RETENTION}' AND next_try_at IS NULL LIMIT ${BATCH})
       RETURNING id)
     SELECT count(*) = ${BATCH} AS more FROM deleted`,
  // Finds the oldest delivery to keep once for each webhook. Otherwise PostgreSQL would search it for each delivery.
  `WITH newest AS MATERIALIZED (
       SELECT w.id AS webhook_id, oldest.id FROM webhooks w CROSS JOIN LATERAL (
         SELECT id FROM webhook_deliveries WHERE webhook_id = w.id ORDER BY id DESC OFFSET ${MOST_KEPT} LIMIT 1) oldest
     ), deleted AS (
       DELETE FROM webhook_deliveries WHERE id IN (
         SELECT d.id FROM newest JOIN webhook_deliveries d ON d.webhook_id = newest.webhook_id AND d.id <= newest.id
         WHERE d.next_try_at IS NULL LIMIT ${BATCH})
       RETURNING id)
     SELECT count(*) = ${BATCH} AS more FROM deleted`,
  `UPDATE webhooks SET former_sealed_secret = NULL, former_secret_ends_at = NULL WHERE former_secret_ends_at < now()`,
];

/** The clean-up deletes the deliveries. */
export const WEBHOOK_RULES = organisationTable(
  'webhooks',
  'it belongs to the organisation and outlives whoever made it',
  { constraintErrors: WEBHOOK_CONSTRAINT_ERRORS, cleanUp: CLEAN_UP },
);
