import type { FieldDescription } from '@app/platform/dto/described-fields';
import { EVENT_KINDS, EVENT_VERBS } from '@app/feeds/events/event.types';
import { BooleanField, TextField, WordListField } from '@app/platform/dto/field.decorators';
import { createShape, updateShape } from '@app/platform/dto/shapes';
import { validateName } from '@app/platform/dto/text-rules';
import type { CheckResult } from '@app/platform/errors/api-error';
import {
  INVALID_URL,
  MAX_URL_LENGTH,
  MOST_EVENTS,
  type NewWebhook,
  unknownEvent,
  type WebhookInput,
} from '../webhook.types';

/** Describes the fields of a webhook, in requests and responses. */
export const WEBHOOK = {
  id: { type: 'integer', description: 'Identifier of the webhook', example: 6 },
  url: {
    description:
      'Where events are posted to: https, or http to addresses of WEBHOOK_NETWORKS; without user name, password and fragment',
    example: 'https://panel.example.com/hooks/account',
  },
  events: {
    type: ['string'],
    description: 'The events to tell: words such as `users.updated`, `users.*` and `*`',
    example: ['users.*', 'organisations.updated'],
  },
  beneath: {
    type: 'boolean',
    description: 'Whether events of organisations beneath its own are told too',
    example: false,
  },
  enabled: {
    type: 'boolean',
    description: 'Whether events are told; false once a receiver gave up',
    example: true,
  },
} as const satisfies Readonly<Record<string, FieldDescription>>;

const EVENT_WORDS: ReadonlySet<string> = new Set([
  '*',
  ...EVENT_KINDS.flatMap((kind) => [`${kind}.*`, ...EVENT_VERBS.map((verb) => `${kind}.${verb}`)]),
]);

const UrlField = (): PropertyDecorator =>
  TextField({ max: MAX_URL_LENGTH, required: true, check: validateUrl, ...WEBHOOK.url });

/** The service checks whether its address is allowed, because that depends on settings. */
function validateUrl(text: string): CheckResult {
  if (/\s/.test(text) || validateName(text) !== undefined || !URL.canParse(text)) return INVALID_URL;
  const { protocol, port, username, password } = new URL(text);
  const isUsable =
    /^https?:$/.test(protocol) && port !== '0' && username + password === '' && !text.includes('#');
  return isUsable ? undefined : INVALID_URL;
}

const EventsField = (): PropertyDecorator =>
  WordListField({
    of: 'event',
    most: MOST_EVENTS,
    faultOf: (word) => (EVENT_WORDS.has(word) ? undefined : unknownEvent(word)),
    required: true,
    description: WEBHOOK.events.description,
    example: WEBHOOK.events.example,
  });

/** Without duplicates, in the given order. */
const distinct = (words: readonly string[]): string[] => [...new Set(words)];

/** Body of POST. */
class CreateWebhookDto {
  @UrlField() url!: string;
  @EventsField() events!: string[];
  @BooleanField({ default: false, ...WEBHOOK.beneath }) beneath?: boolean;
  @BooleanField({ default: true, ...WEBHOOK.enabled }) enabled?: boolean;
}

export const createWebhookShape = createShape(CreateWebhookDto, (dto): NewWebhook => ({
  url: dto.url,
  events: distinct(dto.events),
  beneath: dto.beneath ?? false,
  enabled: dto.enabled ?? true,
}));

/** Body of PUT. */
class UpdateWebhookDto {
  @UrlField() url!: string;
  @EventsField() events!: string[];
  @BooleanField({ ...WEBHOOK.beneath }) beneath?: boolean;
  @BooleanField({ ...WEBHOOK.enabled }) enabled?: boolean;
}

export const updateWebhookShape = updateShape(UpdateWebhookDto, (dto): WebhookInput => ({
  url: dto.url,
  events: distinct(dto.events),
  beneath: dto.beneath,
  enabled: dto.enabled,
}));
