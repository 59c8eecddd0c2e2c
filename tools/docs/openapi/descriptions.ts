import { readSettings } from '@app/config/env';
import type { VariantName } from '@app/config/settings';
import { createLogger } from '@app/platform/observability/logger';
import { createApp } from '../../../apps/api/configure-app';
import { interfaceExamples } from '../interface-examples';
import { describeInterface } from './describe-interface';

/** Nothing is sealed by it. */
const SECRETS_KEY = Buffer.alloc(32).toString('base64');

/**
 * The text of `docs/openapi-*.json` of a variant: what a service without settings but those of passkeys says
 * of itself. It starts in this process, on a migrated database, and listens nowhere.
 */
export async function descriptionOf(variant: VariantName, databaseUrl: string): Promise<string> {
  const settings = readSettings({
    API_VARIANT: variant,
    LOG_LEVEL: 'error',
    WORKER: 'off',
    PASSKEY_RP_ID: 'example.com',
    PASSKEY_ORIGINS: 'https://panel.example.com',
  });
  const logger = createLogger(settings);
  const app = await createApp({ settings, databaseUrl, secretsKey: SECRETS_KEY, logger });
  try {
    await app.init();
    return JSON.stringify(describeInterface(app, await interfaceExamples(variant)));
  } finally {
    await app.close();
  }
}
