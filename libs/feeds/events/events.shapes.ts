import { ACTOR_TYPES } from '@app/feeds/audit/audited-act.queries';
import { querySwitch } from '@app/platform/dto/query-switch';
import type { QueryText } from '@app/platform/dto/route-declaration';
import { ResponseField, responseShape } from '@app/platform/dto/shapes';
import type { FieldError } from '@app/platform/errors/api-error';
import { DEFAULT_LIMIT, NO_COUNT } from '@app/platform/lists/list-request';
import { type AccountEvent, EVENT_KINDS, EVENT_VERBS, type FeedPage } from './event.types';

/** Digits of a number that JavaScript represents exactly. */
const MAX_DIGITS = 15;

const count = (text: string): FieldError | undefined => (/^\d+$/.test(text) ? undefined : NO_COUNT);

/** Parameters of the feed. */
export const AFTER: QueryText<number> = {
  name: 'after',
  description:
    'Only events after this one: the `next` of the page before. Without it the feed begins with the oldest',
  maxLength: MAX_DIGITS,
  example: '4711',
  check: count,
  toValue: Number,
};
export const LIMIT: QueryText<number> = {
  name: 'limit',
  description: 'Most events of the page; 0 means as many as allowed',
  maxLength: MAX_DIGITS,
  example: '100',
  schema: { type: 'integer', minimum: 0, default: DEFAULT_LIMIT },
  check: count,
  toValue: Number,
};
export const BENEATH = querySwitch({
  name: 'beneath',
  description: 'With the events of organisations that were beneath it when they happened',
  maxLength: MAX_DIGITS,
});

class EventActorResponse {
  @ResponseField({
    description:
      '`user`: a user whom the organisation may know. `serviceKey`: a service key of an ' +
      'organisation in its reach. `operator`: somebody of the hosting company. `manager`: a user ' +
      'of an organisation above. `invitation`: whoever had the link of a mail. `service`: the ' +
      'service itself',
    enum: ACTOR_TYPES,
    example: 'user',
  })
  type!: string;

  @ResponseField({
    type: 'integer',
    description: 'Identifier of the user or service key; 0 for all other types',
    example: 7,
  })
  id!: number;
}

class EventDataResponse {
  @ResponseField({
    type: 'integer',
    description: 'Identifier of the event, that of its entry in the audit log; later ones are larger',
    example: 4711,
  })
  id!: number;

  @ResponseField({ description: 'What kind of record changed', enum: EVENT_KINDS, example: 'users' })
  kind!: string;

  @ResponseField({ type: 'integer', description: 'The organisation of the record', example: 3 })
  organisationId!: number;

  @ResponseField({
    type: 'integer',
    description: 'Identifier of the record; of a grant its grantee, of a suspension the organisation',
    example: 12,
  })
  recordId!: number;

  @ResponseField({
    type: EventActorResponse,
    description: 'Who did it; `id` is 0 unless it is a user or service key that this organisation may see',
  })
  actor!: EventActorResponse;

  @ResponseField({
    type: ['string'],
    description:
      'Names of the fields that were set or changed; none that only admins see. Empty for a deletion',
    example: ['firstName'],
  })
  changed!: string[];
}

/** An event: an item of the feed, and the body of a webhook. */
export class EventResponse {
  @ResponseField({
    description: `Kind and verb: ${EVENT_VERBS.map((verb) => `\`${verb}\``).join(', ')}`,
    example: 'users.updated',
  })
  type!: string;

  @ResponseField({ format: 'date-time', description: 'When (ISO 8601)', example: '2026-01-01T00:00:00.000Z' })
  timestamp!: string;

  @ResponseField({ type: EventDataResponse, description: 'What changed; no values' })
  data!: EventDataResponse;
}

class FeedResponse {
  @ResponseField({ type: [EventResponse], description: 'The events of the page, oldest first' })
  events!: EventResponse[];

  @ResponseField({ description: 'The `after` of the next page, at the end too', example: '4711' })
  next!: string;
}

export const toEventResponse = (event: AccountEvent): EventResponse => ({
  type: `${event.kind}.${event.verb}`,
  timestamp: event.at.toISOString(),
  data: {
    id: event.id,
    kind: event.kind,
    organisationId: event.organisationId,
    recordId: event.recordId,
    actor: { type: event.actor.type, id: event.actor.id },
    changed: [...event.changed],
  },
});

/** The response of the feed, equal in both variants. */
export class EventsShapes {
  readonly feed = responseShape(FeedResponse, ({ events, next }: FeedPage): FeedResponse => ({
    events: events.map(toEventResponse),
    next: String(next),
  }));
}
