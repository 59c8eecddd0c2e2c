import {
  BadRequest,
  type ConstraintErrors,
  fieldError,
  type FieldError,
  limitReached,
} from '@app/platform/errors/api-error';

/** Maximum webhooks of an organisation (decisions.md 12.7). A trigger of the table counts them. */
const WEBHOOKS_OF_ORGANISATION = 20;

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

const TOO_MANY_WAITING = `At most ${MOST_WAITING} deliveries of a webhook wait.`;

/** 400: `test` and `resend` would add another waiting delivery. */
export const tooManyWaiting = (): BadRequest => new BadRequest(TOO_MANY_WAITING, 'LIMIT_REACHED');

export const unknownEvent = (word: string): FieldError =>
  fieldError('UNKNOWN_EVENT', `${JSON.stringify(word)} is no event and no group of events.`);

export const INVALID_URL = fieldError(
  'INVALID_URL',
  'This value should be a URL with https, without user name, password and fragment.',
);

export const ADDRESS_NOT_PUBLIC = fieldError(
  'ADDRESS_NOT_PUBLIC',
  'This URL leads to an address that webhooks may not use.',
);

export const WEBHOOK_CONSTRAINT_ERRORS: ConstraintErrors = {
  webhooks_limit_of_organisation: limitReached(
    `An organisation has at most ${WEBHOOKS_OF_ORGANISATION} webhooks.`,
  ),
  webhook_deliveries_waiting_limit: limitReached(TOO_MANY_WAITING),
};
