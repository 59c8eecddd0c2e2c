import type { INestApplicationContext } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { readSettings } from '@app/config/env';
import type { VariantName } from '@app/config/settings';
import type { Bulkhead } from '@app/platform/concurrency/bulkhead';
import { Bulkheads } from '@app/platform/concurrency/bulkheads';
import { createLogger } from '@app/platform/observability/logger';
import { type CustomerLimit, CustomerLimits } from '@app/security/customers/customer-limits';
import { createApp } from '../../apps/api/configure-app';
import { interfaceExamples } from './interface-examples';
import { describeInterface } from './openapi/describe-interface';

/** Nothing is encrypted by it. */
const SECRETS_KEY = Buffer.alloc(32).toString('base64');

/**
 * Does work with a service without settings but those of passkeys. It starts in this process, on a migrated
 * database, and listens nowhere.
 */
async function withService<Result>(
  variant: VariantName,
  databaseUrl: string,
  work: (app: NestExpressApplication) => Result | Promise<Result>,
): Promise<Result> {
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
    return await work(app);
  } finally {
    await app.close();
  }
}

/** The text of `docs/openapi-*.json` of a variant. */
export const descriptionOf = (variant: VariantName, databaseUrl: string): Promise<string> =>
  withService(variant, databaseUrl, async (app) =>
    JSON.stringify(describeInterface(app, await interfaceExamples(variant))),
  );

/** The bulkheads of a process and the limits of a customer, the same in both variants. */
export interface BoundsOfService {
  readonly bulkheads: readonly Bulkhead[];
  readonly customerLimits: readonly CustomerLimit[];
}

export const boundsOf = (app: Pick<INestApplicationContext, 'get'>): BoundsOfService => ({
  bulkheads: app.get(Bulkheads).all.map(({ bulkhead }) => bulkhead),
  customerLimits: app.get(CustomerLimits, { strict: false }).all,
});

export const boundsOfService = (databaseUrl: string): Promise<BoundsOfService> =>
  withService('A', databaseUrl, boundsOf);
