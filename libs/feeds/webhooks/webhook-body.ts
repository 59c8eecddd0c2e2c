import type { AccountEvent } from '@app/feeds/events/event.types';
import { toEventResponse } from '@app/feeds/events/events.shapes';

/** The event of `POST …/test`. */
export const TEST_EVENT = 'webhook.test';

/** An event of the feed equals the body of its message. */
export const bodyOf = (event: AccountEvent): string => JSON.stringify(toEventResponse(event));

/** A message in the form of all others. Its event is in no feed. */
export const testBody = ({ organisationId, id }: { organisationId: number; id: number }): string =>
  JSON.stringify({
    type: TEST_EVENT,
    timestamp: new Date().toISOString(),
    data: {
      id: 0,
      kind: 'webhooks',
      organisationId,
      recordId: id,
      actor: { type: 'service', id: 0 },
      changed: [],
    },
  });
