import type { AccountEvent } from '@app/feeds/events/event.types';
import { toEventResponse } from '@app/feeds/events/events.shapes';

/** The event type of `POST …/test`. */
export const TEST_EVENT = 'webhook.test';

/** The body of a message is the event as in the feed. */
export const bodyOf = (event: AccountEvent): string => JSON.stringify(toEventResponse(event));

/** A test message with the same form as all others. The feed does not contain it. */
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
