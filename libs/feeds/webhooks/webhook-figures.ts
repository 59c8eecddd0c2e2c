/** Counts of waiting deliveries, for operators. */
export interface WebhookFigures {
  /**
   * Deliveries whose try is due: now, or once a worker runs and their organisation is not suspended any more.
   */
  readonly due: number;
  /** Deliveries that wait for a later try. */
  readonly later: number;
  /** Difference in ids between the end of the audit log and the last event of the sweep. */
  readonly untold: number;
}

/** Counts at most `most` deliveries, so that a scrape stays cheap. */
export const countWebhookFigures = (most: number): string => `
  SELECT count(*) FILTER (WHERE next_try_at <= now()) AS due, count(*) FILTER (WHERE next_try_at > now()) AS later,
    (SELECT greatest(0, coalesce(max(id), 0) - (SELECT event_id FROM webhook_position)) FROM audit_log) AS untold
  FROM (SELECT next_try_at FROM webhook_deliveries WHERE next_try_at IS NOT NULL LIMIT ${most}) delivery`;
