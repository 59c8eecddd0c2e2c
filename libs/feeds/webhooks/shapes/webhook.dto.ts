import type { FieldDescription } from '@app/platform/dto/described-fields';
import { BooleanField, TextField, WordListField } from '@app/platform/dto/field.decorators';
import { createShape, updateShape } from '@app/platform/dto/shapes';
import { brokenRule, NAME_RULES } from '@app/platform/dto/text-rules';
import { StepUpCodeField, StepUpPasswordField, stepUpProof } from '@app/security/passwords/step-up-fields';
import type { Proven } from '@app/security/passwords/step-up-proof';
import {
  eventTypesOf,
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
      'Where events are posted to: https, and for the operator also http to addresses of ' +
      'WEBHOOK_NETWORKS; without user name, password, fragment and backslash. Answered as the URL ' +
      'standard writes it',
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

const UrlField = (): PropertyDecorator =>
  TextField({
    max: MAX_URL_LENGTH,
    required: true,
    rules: [{ name: 'isWebhookUrl', holds: isWebhookUrl, error: INVALID_URL }],
    ...WEBHOOK.url,
  });

/**
 * The service checks whether its address is allowed, which depends on settings, and what only
 * a new URL is refused for.
 */
function isWebhookUrl(text: string): boolean {
  if (/\s/.test(text) || brokenRule(NAME_RULES, text) !== undefined || !URL.canParse(text)) return false;
  const { protocol, port, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && port !== '0' && username + password === '' && !text.includes('#');
}

const EventsField = (): PropertyDecorator =>
  WordListField({
    of: 'event',
    most: MOST_EVENTS,
    faultOf: (word) => (eventTypesOf(word).length === 0 ? unknownEvent(word) : undefined),
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

  @StepUpPasswordField() password?: unknown;
  @StepUpCodeField() '6digitCode'?: unknown;
}

export const createWebhookShape = createShape(CreateWebhookDto, (dto): NewWebhook & Proven => ({
  url: dto.url,
  events: distinct(dto.events),
  beneath: dto.beneath ?? false,
  enabled: dto.enabled ?? true,
  proof: stepUpProof(dto),
}));

/** Body of PUT. */
class UpdateWebhookDto {
  @UrlField() url!: string;
  @EventsField() events!: string[];
  @BooleanField({ ...WEBHOOK.beneath }) beneath?: boolean;
  @BooleanField({ ...WEBHOOK.enabled }) enabled?: boolean;

  @StepUpPasswordField() password?: unknown;
  @StepUpCodeField() '6digitCode'?: unknown;
}

export const updateWebhookShape = updateShape(UpdateWebhookDto, (dto): WebhookInput & Proven => ({
  url: dto.url,
  events: distinct(dto.events),
  beneath: dto.beneath,
  enabled: dto.enabled,
  proof: stepUpProof(dto),
}));

/** Body of `POST …/rotate`. It is read only with `STEP_UP`. */
class RotateWebhookDto {
  @StepUpPasswordField() password?: unknown;
  @StepUpCodeField() '6digitCode'?: unknown;
}

export const rotateWebhookShape = createShape(RotateWebhookDto, stepUpProof);
