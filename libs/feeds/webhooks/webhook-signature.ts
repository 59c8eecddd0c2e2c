import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';

/** A new secret in the format of Standard Webhooks. */
export const newWebhookSecret = (): string => `${PREFIX}${randomBytes(32).toString('base64')}`;

/** The encryption context of a webhook's secrets. */
export const webhookSecretContext = (webhookId: number): string => `webhook:${webhookId}`;

/** The signed parts of a message. */
export interface SignedMessage {
  readonly id: string;
  /** Unix seconds of the try. */
  readonly timestamp: number;
  readonly body: string;
}

/** The headers of Standard Webhooks 1.0, with one signature for each secret. */
export const signedHeaders = (
  { id, timestamp, body }: SignedMessage,
  secrets: readonly string[],
): Readonly<Record<string, string>> => ({
  'webhook-id': id,
  'webhook-timestamp': String(timestamp),
  'webhook-signature': secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
    })
    .join(' '),
});
