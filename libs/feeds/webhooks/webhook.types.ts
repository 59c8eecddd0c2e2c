import { EVENT_KINDS, EVENT_VERBS, type EventType } from '@app/feeds/events/event.types';
import { tooLong } from '@app/platform/dto/field.decorators';
import {
  BadRequest,
  type ConstraintErrors,
  type FieldError,
  fieldError,
  limitReached,
  ValidationFailed,
} from '@app/platform/errors/api-error';

/** Maximum webhooks of an organisation (docs/limits.md). A trigger of the table counts them. */
const WEBHOOKS_OF_ORGANISATION = 20;

/**
 * Maximum webhooks in all organisations of a customer, who makes as many organisations as it likes: ten full
 * ones. One webhook with `beneath` tells of all of them. A trigger counts them too.
 */
const WEBHOOKS_OF_CUSTOMER = 200;

/** Maximum waiting deliveries of a webhook. Further events wait in the audit log. */
export const MOST_WAITING = 10_000;

/** Maximum length of a URL (the column's width). */
export const MAX_URL_LENGTH = 2000;

/** Maximum event types and groups of a webhook. */
export const MOST_EVENTS = 100;

/** Body of PUT. */
export interface WebhookInput {
  readonly url: string;
  readonly events: readonly string[];
  readonly beneath: boolean | undefined;
  readonly enabled: boolean | undefined;
}

/** Body of POST. */
export interface NewWebhook extends WebhookInput {
  readonly beneath: boolean;
  readonly enabled: boolean;
}

const EVENT_TYPES = EVENT_KINDS.flatMap((kind) => EVENT_VERBS.map((verb): EventType => `${kind}.${verb}`));

/** The types of events that a word stands for: one type, all of a kind, or all. Empty for an unknown word. */
export const eventTypesOf = (word: string): readonly EventType[] =>
  EVENT_TYPES.filter(
    (type) => word === '*' || type === word || `${type.slice(0, type.indexOf('.'))}.*` === word,
  );

/** The name of a webhook in notifications: only the host, because the path may contain a secret. */
export const shownName = (url: string): string => new URL(url).host;

const TOO_MANY_WAITING = `At most ${MOST_WAITING} deliveries of a webhook wait.`;

/** 400: `test` and `resend` would add another waiting delivery. */
export const tooManyWaiting = (): BadRequest => new BadRequest(TOO_MANY_WAITING, 'LIMIT_REACHED');

export const unknownEvent = (word: string): FieldError =>
  fieldError('UNKNOWN_EVENT', `${JSON.stringify(word)} is no event and no group of events.`);

export const INVALID_URL = fieldError(
  'INVALID_URL',
  'This value should be a URL with https, without user name, password, fragment and backslash.',
);

/**
 * A URL as the URL standard writes it, so that everybody reads the same host in it. Throws 400 for a
 * backslash: the standard takes it for a slash, other readers do not, and
 * `https://example.com\@127.0.0.1/` has two hosts.
 */
export function standardUrl(text: string): string {
  if (text.includes('\\')) throw ValidationFailed.on('url', INVALID_URL);
  const { href } = new URL(text);
  // Letters beyond ASCII take more room than they did in the text.
  if (href.length > MAX_URL_LENGTH) throw ValidationFailed.on('url', tooLong(MAX_URL_LENGTH));
  return href;
}

export const ADDRESS_NOT_PUBLIC = fieldError(
  'ADDRESS_NOT_PUBLIC',
  'This URL leads to an address that webhooks may not use.',
);

export const WEBHOOK_CONSTRAINT_ERRORS: ConstraintErrors = {
  webhooks_limit_of_organisation: limitReached(
    `An organisation has at most ${WEBHOOKS_OF_ORGANISATION} webhooks.`,
  ),
  webhooks_limit_of_customer: limitReached(
    `The organisations of a customer have at most ${WEBHOOKS_OF_CUSTOMER} webhooks together.`,
  ),
  webhook_deliveries_waiting_limit: limitReached(TOO_MANY_WAITING),
};
