import { AddressCountries } from '@app/core/geography/address-countries';
import { directDatabase } from '@app/core/database/direct-database';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '@app/core/database/embedded-postgres';
import { migrate } from '@app/core/jobs/migrate';
import { checkSecretsKey, secretsKeyOf } from '@app/core/secrets/secrets-key';
import type { Settings } from '@app/core/settings/settings';
import { assertTestClockFits } from '@app/test-clock/test-clock.mark';
import { ensureFirstAdmin, type FirstAdmin } from './bootstrap-database';

/** A database that can be served: migrated, with a first admin. */
export interface PreparedDatabase {
  readonly url: string;
  readonly admin: FirstAdmin;
  /** The server that was started for it; undefined with `DATABASE_URL`. Whoever prepares stops it. */
  readonly embedded: EmbeddedPostgres | undefined;
}

/** Everything between the settings and the first process that serves; it is done once, however many serve. */
export async function prepareDatabase(
  settings: Settings,
  say: (line: string) => void,
): Promise<PreparedDatabase> {
  checkSecretsKey(secretsKeyOf(settings));
  // Read again where it is used: here only so that a wrong file stops the start before anything else is started.
  await AddressCountries.open(settings.geoipDb);
  const embedded =
    settings.databaseUrl === undefined
      ? await startEmbeddedPostgres({ dataDir: settings.dataDir, log: say })
      : undefined;
  try {
    const url = settings.databaseUrl ?? embedded?.url ?? '';
    const direct = directDatabase(settings, url);
    await assertTestClockFits(direct, settings.testClock);
    const migrations = await migrate(direct.url, direct.pooler);
    if (migrations.length > 0) say(`Migrated the database: ${migrations.join(', ')}`);
    const wanted = {
      username: settings.adminUsername,
      password: settings.adminPassword,
      bcryptCost: settings.bcryptCost,
      testClock: settings.testClock,
    };
    const admin = await ensureFirstAdmin(direct.url, wanted, direct.pooler);
    // Again: another process may have made the database meanwhile.
    await assertTestClockFits(direct, settings.testClock);
    return { url, admin, embedded };
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
}
