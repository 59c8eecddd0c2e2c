import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Logger } from 'pino';
import type { HttpAdapter } from '@app/core/http/http-adapter';
import { JobRunner } from '@app/core/jobs/job-runner';
import { Readiness } from '@app/core/health/health.module';
import { flushLog } from '@app/core/logging/logger';
import { secretsKeyOf } from '@app/core/secrets/secrets-key';
import { SettingError } from '@app/core/settings/setting-error';
import type { Settings } from '@app/core/settings/settings';
import { createApp } from './create-app';

/** Milliseconds that requests in flight get to finish when the service stops. */
export const GRACE = 10_000;

/** A process that answers requests. */
export interface ServingProcess {
  readonly port: number;
  /** Lets balancers turn away, finishes the requests in flight. */
  readonly stop: () => Promise<void>;
}

/** Serves a prepared database on the port of the settings. */
export async function serve(
  settings: Settings,
  databaseUrl: string,
  logger: Logger,
): Promise<ServingProcess> {
  const app = await createApp({ settings, databaseUrl, secretsKey: secretsKeyOf(settings), logger });
  await listen(() => app.listen(settings.port, settings.host), settings);
  const { port } = app.getHttpServer().address() as AddressInfo;
  return {
    port,
    stop: async () => {
      await stopServing(app, settings);
      await app.close();
      await flushLog(logger);
    },
  };
}

/**
 * Goes on serving until balancers have asked for readiness and turned away: a listener that closes at once resets the
 * connections that the system has taken for it. Jobs end meanwhile, so that they keep nobody waiting afterwards.
 */
async function stopServing(app: NestExpressApplication, { drainDelay }: Settings): Promise<void> {
  app.get(Readiness).stop();
  const server = app.getHttpAdapter() as unknown as HttpAdapter;
  server.drain();
  const jobsEnded = app.get(JobRunner).stop();
  await pause(drainDelay * 1000);
  await server.closeWithin(GRACE);
  await jobsEnded;
}

async function listen(start: () => Promise<unknown>, settings: Settings): Promise<void> {
  try {
    await start();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') {
      throw new SettingError(
        'PORT',
        `${settings.port} is already in use: choose another or stop what listens there`,
      );
    }
    throw error;
  }
}
