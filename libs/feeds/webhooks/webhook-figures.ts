import type { TableGauges } from '@app/lifecycle/table-gauges';

/** Counts of waiting deliveries, for operators. */
interface WebhookFigures {
  /**
   * Deliveries whose try is due: now, or once a worker runs and their organisation is not suspended any more.
   */
  readonly due: number;
  /** Deliveries that wait for a later try. */
  readonly later: number;
  /** Difference in ids between the end of the audit log and the last event of the sweep. */
  readonly unread: number;
}

const countWebhookFigures = (most: number): string => `
  SELECT count(*) FILTER (WHERE next_try_at <= now()) AS due, count(*) FILTER (WHERE next_try_at > now()) AS later,
    (SELECT greatest(0, coalesce(max(id), 0) - (SELECT event_id FROM webhook_position)) FROM audit_log) AS unread
  FROM (SELECT next_try_at FROM webhook_deliveries WHERE next_try_at IS NOT NULL LIMIT ${most}) delivery`;

export const WEBHOOK_GAUGES: TableGauges<WebhookFigures> = {
  counted: countWebhookFigures,
  reads: [
    {
      name: 'webhook_deliveries_waiting',
      help: 'Deliveries to webhooks: due now, or later (next try)',
      labelNames: ['state'],
      samples: ({ due, later }) => [
        [{ state: 'due' }, due],
        [{ state: 'later' }, later],
      ],
    },
    {
      name: 'webhook_events_unread',
      help: 'Entries of the audit log, by their ids, behind the last one that was told to webhooks',
      samples: ({ unread }) => [[{}, unread]],
    },
  ],
};
