/** Figures of waiting deliveries, for operators. */
export interface WebhookFigures {
  /** Deliveries whose try is due: now, or as soon as their organisation has a worker or is not suspended any more. */
  readonly due: number;
  /** Deliveries that are tried again later. */
  readonly later: number;
  /** How far the sweep is behind the end of the audit log, in ids. */
  readonly untold: number;
}

/** Looks at `most` deliveries, so that a scrape stays cheap. */
export const countWebhookFigures = (most: number): string => `
  SELECT count(*) FILTER (WHERE next_try_at <= now()) AS due, count(*) FILTER (WHERE next_try_at > now()) AS later,
    (SELECT greatest(0, coalesce(max(id), 0) - (SELECT event_id FROM webhook_position)) FROM audit_log) AS untold
  FROM (SELECT next_try_at FROM webhook_deliveries WHERE next_try_at IS NOT NULL LIMIT ${most}) delivery`;
