import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Logger } from 'pino';
import type { Settings } from '@app/config/settings';
import type { HttpAdapter } from '@app/platform/http/http-adapter';
import { BackgroundWorks } from '@app/platform/jobs/background-work';
import { catchPlainText, flushLog } from '@app/platform/observability/logger';
import { startTracing } from '@app/platform/observability/tracing';
import { secretsKeyOf } from '@app/security/secrets/encryption';
import { Readiness } from '@app/service/observability/readiness';
import { createApp } from './configure-app';
import { listen } from './listen';

/**
 * Seconds that a stopping process still serves behind a proxy, until the proxy notices that it is not ready.
 */
const DRAIN_DELAY = 5;
/** Milliseconds for running requests to finish during shutdown. */
const GRACE = 10_000;

/** A process that serves requests. */
export interface ServingProcess {
  readonly port: number;
  /** Graceful shutdown: waits for the drain delay and for running requests. */
  readonly stop: (signal?: string) => Promise<void>;
}

/** Serves a prepared database on the port of the settings. */
export async function serve(
  settings: Settings,
  databaseUrl: string,
  logger: Logger,
): Promise<ServingProcess> {
  catchPlainText(logger);
  const stopTracing = startTracing(settings, logger);
  const app = await createApp({ settings, databaseUrl, secretsKey: secretsKeyOf(settings), logger });
  await listen(() => app.listen(settings.port, settings.host), settings);
  const { port } = app.getHttpServer().address() as AddressInfo;
  return {
    port,
    stop: async (signal) => {
      const drainDelay = settings.trustedProxies.length > 0 ? DRAIN_DELAY : 0;
      logger.info({ signal }, `stopping: keeps serving for ${drainDelay} s, takes no new jobs`);
      await stopServing(app, drainDelay, logger);
      await app.close();
      await stopTracing();
      logger.info('stopped');
      await flushLog(logger);
    },
  };
}

/**
 * Keeps serving during the drain delay, while load balancers notice that the process is not
 * ready. Jobs stop meanwhile.
 */
async function stopServing(app: NestExpressApplication, drainDelay: number, logger: Logger): Promise<void> {
  app.get(Readiness).stop();
  const server = app.getHttpAdapter() as unknown as HttpAdapter;
  server.drain();
  const jobsEnded = app.get(BackgroundWorks, { strict: false }).stop();
  await pause(drainDelay * 1000);
  logger.info('drain delay is over: takes no new requests, completes running ones');
  await server.closeWithin(GRACE);
  await jobsEnded;
}
