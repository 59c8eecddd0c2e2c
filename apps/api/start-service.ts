import { createLogger } from '@app/core/logging/logger';
import type { Settings } from '@app/core/settings/settings';
import { startWarnings } from '../../config/env';
import { prepareDatabase } from './prepare-database';
import { serve, type ServingProcess } from './serve';
import { welcome } from './welcome';

/** Database, schema, first admin, HTTP: everything between the settings and the first request, in this process. */
export async function startService(settings: Settings): Promise<ServingProcess> {
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  const database = await prepareDatabase(settings, say);
  try {
    const logger = createLogger(settings);
    for (const warning of startWarnings(settings)) logger.warn(warning);
    const { port, stop } = await serve(settings, database.url, logger);
    say(welcome({ ...settings, port, database }));
    return {
      port,
      stop: async () => {
        await stop();
        await database.embedded?.stop();
      },
    };
  } catch (error) {
    await database.embedded?.stop();
    throw error;
  }
}
