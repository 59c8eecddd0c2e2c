import { DataSource } from 'typeorm';
import { getDataSourceToken } from '@nestjs/typeorm';
import { dataSourceOptions } from '@app/platform/database/data-source-options';
import { startTestService, type TestService } from '../support/service/service';
import { VARIANTS } from '../support/service/variants';

/** What the catalogue says of every table, column, constraint, index, trigger and function. */
const CATALOGUE = `
  SELECT 'column' AS kind, table_name || '.' || column_name AS name,
    concat_ws(' ', data_type, character_maximum_length, is_nullable, column_default, identity_generation) AS definition
  FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> 'migrations'
  UNION ALL
  SELECT 'constraint', conrelid::regclass || '.' || conname, pg_get_constraintdef(oid)
  FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND conrelid <> 'migrations'::regclass
  UNION ALL
  SELECT 'index', indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename <> 'migrations'
  UNION ALL
  SELECT 'trigger', tgrelid::regclass || '.' || tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
  UNION ALL
  SELECT 'function', p.oid::regprocedure::text, prosrc FROM pg_proc p
  WHERE pronamespace = 'public'::regnamespace
    AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
  ORDER BY 1, 2`;

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
  it.each(VARIANTS)('equals the entities of Variant %s', async (variant) => {
    await using service = await startTestService(variant);
    const dataSource = service.app.get<DataSource>(getDataSourceToken());
    askOneByOne(dataSource);
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });

  it('has an entity for every table but those that only SQL uses', async () => {
    const services: TestService[] = [];
    for (const variant of VARIANTS) services.push(await startTestService(variant));
    try {
      const mapped = services.flatMap(({ app }) =>
        app.get<DataSource>(getDataSourceToken()).entityMetadatas.map(({ tableName }) => tableName),
      );
      const tables = await services[0]?.sql<{ name: string }>(
        `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
      );
      const unmapped = (tables ?? []).map(({ name }) => name).filter((name) => !mapped.includes(name));
      expect(unmapped.sort()).toEqual(TABLES_OF_SQL);
    } finally {
      await Promise.all(services.map((service) => service.stop()));
    }
  });

  it('goes down to nothing and up to the same again', async () => {
    const service = await startTestService('A');
    const dataSource = await new DataSource(dataSourceOptions(service.database.url, 2)).initialize();
    try {
      const before = await service.sql(CATALOGUE);
      expect(before.length).toBeGreaterThan(100);
      for (let done = dataSource.migrations.length; done > 0; done--) await dataSource.undoLastMigration();
      expect(await service.sql(CATALOGUE)).toEqual([]);
      await dataSource.runMigrations();
      expect(await service.sql(CATALOGUE)).toEqual(before);
    } finally {
      await dataSource.destroy();
      await service.stop();
    }
  });
});
