import type { EntityManager } from 'typeorm';
import type { DueDelivery } from './delivery-batches';
import type { TryOutcome } from './webhook-sender';

/** When a failed delivery is tried again (rule events 34). */
const RETRIES = [
  '5 seconds',
  '5 minutes',
  '30 minutes',
  '2 hours',
  '5 hours',
  '10 hours',
  '14 hours',
  '20 hours',
  '24 hours',
] as const;

const PLAN = `
  UPDATE webhook_deliveries SET tries = tries + 1, failures = failures + 1, status = $2, error = $3, duration = $4,
    next_try_at = CASE WHEN next_try_at IS NOT NULL THEN now() + greatest($5::interval, $6 * interval '1 second') END
  WHERE id = $1`;

/**
 * Records a failed try, and plans the next one or gives the delivery up. Its webhook is locked. There is none
 * for a delivery that was cancelled during the try.
 */
export async function planRetry(
  manager: EntityManager,
  { id, failures }: DueDelivery,
  { status, error, duration, pause }: TryOutcome,
): Promise<void> {
  const step = RETRIES[failures];
  await manager.query(PLAN, [id, status, error, duration, step ?? null, step === undefined ? null : pause]);
}
