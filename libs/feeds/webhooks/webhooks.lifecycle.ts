import type { EntityManager } from 'typeorm';
import { organisationCredentials, type TableRules } from '@app/lifecycle/table-rules';
import { madeOutOfReach } from '@app/people/organisations/maker-above';
import { DELIVERY_RETENTION } from './webhook.columns';
import { WEBHOOK_CONSTRAINT_ERRORS } from './webhook.types';
import { WEBHOOK_GAUGES } from './webhook-figures';
import { webhookSecretContext } from './webhook-signature';

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
  // Waiting deliveries are kept, however old, for the next try or the end of a suspension. A trigger limits
  // their number for each webhook.
  `WITH deleted AS (
       DELETE FROM webhook_deliveries WHERE id IN (
         SELECT id FROM webhook_deliveries
         WHERE created_at < now() - interval '${DELIVERY_RETENTION}' AND next_try_at IS NULL LIMIT ${BATCH})
       RETURNING id)
     SELECT count(*) = ${BATCH} AS more FROM deleted`,
  // Finds the oldest delivery to keep once for each webhook. Otherwise PostgreSQL would
  // search it for each delivery.
  `WITH newest AS MATERIALIZED (
       SELECT w.id AS webhook_id, oldest.id FROM webhooks w CROSS JOIN LATERAL (
         SELECT id FROM webhook_deliveries WHERE webhook_id = w.id ORDER BY id DESC OFFSET ${MOST_KEPT} LIMIT 1) oldest
     ), deleted AS (
       DELETE FROM webhook_deliveries WHERE id IN (
         SELECT d.id FROM newest JOIN webhook_deliveries d ON d.webhook_id = newest.webhook_id AND d.id <= newest.id
         WHERE d.next_try_at IS NULL LIMIT ${BATCH})
       RETURNING id)
     SELECT count(*) = ${BATCH} AS more FROM deleted`,
  `UPDATE webhooks SET former_encrypted_secret = NULL, former_secret_ends_at = NULL WHERE former_secret_ends_at < now()`,
];

/**
 * A disabled webhook cancels its waiting deliveries, and later sends none for events that happened meanwhile.
 */
const FORGET_BACKLOG = `
  UPDATE webhooks SET behind_after = NULL, next_due_at = NULL
  WHERE id = ANY ($1::integer[]) AND (behind_after IS NOT NULL OR next_due_at IS NOT NULL)`;
const CANCEL_PENDING = `
  UPDATE webhook_deliveries
  SET next_try_at = NULL, error = coalesce(nullif(error, ''), 'The webhook was switched off')
  WHERE webhook_id = ANY ($1::integer[]) AND next_try_at IS NOT NULL`;

export async function endWaiting(manager: EntityManager, webhookIds: readonly number[]): Promise<void> {
  await manager.query(FORGET_BACKLOG, [webhookIds]);
  await manager.query(CANCEL_PENDING, [webhookIds]);
}

/** `next_due_at` may be earlier than the first waiting delivery: the next turn of the webhook corrects it. */
const FIRST_WAITING = `(SELECT webhook_id, min(next_try_at) AS next_try_at
  FROM webhook_deliveries WHERE next_try_at IS NOT NULL GROUP BY webhook_id) earliest`;
const IS_LATE = `w.id = earliest.webhook_id
  AND (w.next_due_at IS NULL OR w.next_due_at > earliest.next_try_at)`;

const SECRET = {
  kind: 'webhook secret',
  example: 'secret of webhook',
  id: 'id',
  contextOf: webhookSecretContext,
} as const;

/** The clean-up deletes the deliveries. */
export const WEBHOOK_RULES = organisationCredentials(
  'webhooks',
  'it belongs to the organisation and outlives whoever made it',
  {
    constraintErrors: WEBHOOK_CONSTRAINT_ERRORS,
    otherTexts: 'url events encrypted_secret former_encrypted_secret last_error',
    cleanUp: () => CLEAN_UP,
    audited: {
      kind: 'webhooks',
      shown: 'url events reaches_beneath enabled encrypted_secret created_at',
      adminOnly: 'made_by_organisation',
      hidden: 'id organisation_id',
      names: { reaches_beneath: 'beneath', encrypted_secret: 'secret', made_by_organisation: 'madeBy' },
    },
    encrypted: [
      { ...SECRET, name: 'webhookSecrets', encrypted: 'encrypted_secret' },
      { ...SECRET, name: 'formerWebhookSecrets', encrypted: 'former_encrypted_secret' },
    ],
    afterRestore: { keeps: { webhooks: 'enabled' } },
    gauges: WEBHOOK_GAUGES,
    checks: [
      madeOutOfReach('webhooks', {
        name: 'webhooks from above',
        finds: 'webhooks that a manager above made and whose organisation lies beneath no more',
        end: 'DELETE FROM webhooks made',
      }),
      {
        name: 'customers of webhooks',
        finds: 'webhooks that count for another customer than that of their organisation',
        wrong: `SELECT 'webhook ' || w.id AS example FROM webhooks w JOIN organisations o ON o.id = w.organisation_id
          WHERE w.customer_id <> o.customer_id`,
        repair: [
          `UPDATE webhooks w SET customer_id = o.customer_id FROM organisations o
            WHERE o.id = w.organisation_id AND o.customer_id <> w.customer_id`,
        ],
      },
      {
        name: 'due webhooks',
        finds: 'webhooks whose deliveries are looked for too late, or never',
        wrong: `SELECT 'webhook ' || w.id AS example FROM webhooks w, ${FIRST_WAITING} WHERE ${IS_LATE}`,
        repair: [
          `UPDATE webhooks w SET next_due_at = earliest.next_try_at FROM ${FIRST_WAITING} WHERE ${IS_LATE}`,
        ],
      },
    ],
  },
);

/** A delivery names records by their ids. */
export const WEBHOOK_DELIVERY_RULES: TableRules = {
  table: 'webhook_deliveries',
  otherTexts: 'event body error',
};
