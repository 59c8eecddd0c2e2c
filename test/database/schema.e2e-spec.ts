import { getDataSourceToken } from '@nestjs/typeorm';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { MIGRATIONS } from '@app/migrations/all';
import { migrate } from '@app/migrations/migrate';
import { dataSourceOptions } from '@app/platform/database/data-source-options';
import { RELEASES } from '../support/service/releases';
import { CATALOGUE } from '../support/service/catalogue';
import { createEmptyDatabase } from '../support/service/databases';
import { startTestService, useServices } from '../support/service/service';
import { VARIANTS } from '../support/service/variants';

/** Tables without an entity: the closure, which triggers keep, and what functions and TypeORM itself keep. */
const TABLES_OF_SQL = [
  'attempts',
  'event_audience',
  'migrations',
  'organisation_closure',
  'refusal_days',
  'test_clock',
  'variant_announcements',
  'variant_exemptions',
  'variant_programs',
  'variant_usage',
];

/** The last migrations from before release 1.0.0. */
const LAST_BEFORE = [
  'FirstLoginsBefore1795800001000',
  'LoginsBeginSupportLogins1795801000000',
  'ValidateLoginsBeginSupportLogins1795801001000',
  'PasskeysOfOnePage1795801002000',
  'VersionsThatAreSet1795801003000',
  'ExemptPrograms1795802000000',
  'WebhookTurns1795803000000',
];

const tooOld = (name: string): RegExp =>
  new RegExp(
    `^the schema is older than release 1\\.0\\.0 \\(${name}\\): run .migrate. of commit [0-9a-f]{7,} first$`,
  );

/** TypeORM reads a schema by many statements at once, which the driver's connections are not to be asked for. */
function askOneByOne(dataSource: DataSource): void {
  const createRunner = dataSource.createQueryRunner.bind(dataSource);
  dataSource.createQueryRunner = (mode) => {
    const runner = createRunner(mode);
    const ask = runner.query.bind(runner) as (...parameters: unknown[]) => Promise<unknown>;
    let last: Promise<unknown> = Promise.resolve();
    runner.query = ((...parameters: unknown[]) => {
      const result = last.then(() => ask(...parameters));
      last = result.catch(() => undefined);
      return result;
    }) as typeof runner.query;
    return runner;
  };
}

describe('the migrated schema', () => {
  const services = useServices(VARIANTS);

  it.each(VARIANTS)('equals the entities of Variant %s', async (variant) => {
    const { app } = services.find((service) => service.variant === variant) ?? services[0];
    const dataSource = app.get<DataSource>(getDataSourceToken());
    askOneByOne(dataSource);
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });

  it('has an entity for every table but those that only SQL uses', async () => {
    const mapped = services.flatMap(({ app }) =>
      app.get<DataSource>(getDataSourceToken()).entityMetadatas.map(({ tableName }) => tableName),
    );
    const tables = await services[0].sql<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
    );
    const unmapped = tables.map(({ name }) => name).filter((name) => !mapped.includes(name));
    expect(unmapped.sort()).toEqual(TABLES_OF_SQL);
  });

  it.each(RELEASES)(
    'has new migrations behind those of $name: a customer runs them in this order',
    ({ dump }) => {
      const released = MIGRATIONS.map(({ name }) => dump.includes(`'${name}'`));
      expect(released).toContain(true);
      expect(released.slice(released.filter(Boolean).length)).not.toContain(true);
    },
  );

  it('goes down to the first release and up to the same again', async () => {
    await using service = await startTestService('A');
    const migrations = [...MIGRATIONS];
    const dataSource = new DataSource({
      ...dataSourceOptions(service.database.url, 2),
      migrations,
      logger: 'debug',
    });
    await dataSource.initialize();
    try {
      const before = await service.sql(CATALOGUE);
      expect(before.length).toBeGreaterThan(800);
      for (let done = migrations.length; done > 1; done--) await dataSource.undoLastMigration();
      await expect(dataSource.undoLastMigration()).rejects.toThrow('there is no schema before release 1.0.0');
      await dataSource.runMigrations();
      expect(await service.sql(CATALOGUE)).toEqual(before);
    } finally {
      await dataSource.destroy();
    }
  });

  it('is that of databases which have all migrations from before the first release, and refuses others', async () => {
    const database = await createEmptyDatabase();
    const client = new Client({ connectionString: database.url });
    await client.connect();
    const record = (name: string): Promise<unknown> =>
      client.query('INSERT INTO migrations (timestamp, name) VALUES (1700000000000, $1)', [name]);
    try {
      await migrate(database.url);
      const options = { ...dataSourceOptions(database.url, 2), migrations: [...MIGRATIONS] };
      const dataSource = await new DataSource(options).initialize();
      for (let done = MIGRATIONS.length; done > 1; done--) await dataSource.undoLastMigration();
      await dataSource.destroy();
      await client.query('DELETE FROM migrations');
      for (const name of LAST_BEFORE) {
        await record(name);
        if (name !== LAST_BEFORE.at(-1)) await expect(migrate(database.url)).rejects.toThrow(tooOld(name));
      }
      expect(await migrate(database.url)).toEqual(MIGRATIONS.map(({ name }) => name));
      const { rows } = await client.query<{ name: string }>('SELECT name FROM migrations ORDER BY id');
      // A build from before that still runs finds its own there.
      expect(rows.map(({ name }) => name)).toEqual([...LAST_BEFORE, ...MIGRATIONS.map(({ name }) => name)]);
    } finally {
      await client.end();
      await database.drop();
    }
  });
});
