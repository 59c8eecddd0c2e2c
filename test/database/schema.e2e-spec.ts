import { getDataSourceToken } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { EVENT_KINDS } from '@app/feeds/events/event.types';
import { MIGRATIONS } from '@app/migrations/all';
import { dataSourceOptions } from '@app/platform/database/data-source-options';
import { VARIANTS } from '../../qa/variants';
import { createTestDatabase } from '../support/service/databases';
import { useServices } from '../support/service/service';
import { catalogueOf } from '../support/service/upgrades';

/** Tables without an entity: the closure, which triggers keep, and what functions and TypeORM itself keep. */
const TABLES_OF_SQL = [
  'attempts',
  'event_audience',
  'migrations',
  'organisation_closure',
  'schema_digests',
  'test_clock',
  'variant_programs',
  'variant_usage',
];

/**
 * TypeORM reads a schema by many statements at once, which the driver's connections are not to be asked for.
 */
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

  it('note_event_audience notes who sees each kind of event', async () => {
    const [{ source } = { source: '' }] = await services[0].sql<{ source: string }>`
      SELECT prosrc AS source FROM pg_proc WHERE proname = 'note_event_audience' AND pronargs = 1`;
    const [, literals = ''] = /string_to_array\(((?:\s*'[^']+')+), ' '\)/.exec(source) ?? [];
    const tables = [...literals.matchAll(/'([^']+)'/g)].flatMap(([, part = '']) => part.trim().split(' '));
    // Changes of members and records are changes of their team.
    const kinds = tables.filter((table) => !['team_members', 'team_entities'].includes(table));
    expect(kinds.map((table) => table.replaceAll('_', '')).toSorted()).toEqual([...EVENT_KINDS].toSorted());
  });

  it('fold_letters stays a call in the plans of extended statistics', async () => {
    // The planner reads the statistics on expressions anew for every statement that names their table, four
    // times for a list of organisations, and puts the body of a function in SQL in the place of each call.
    const statistics = await services[0].sql<{ name: string; expression: string; table: string }>`
      SELECT stxname AS name, stxrelid::regclass AS table, unnest(pg_get_statisticsobjdef_expressions(oid)) AS expression
      FROM pg_statistic_ext`;
    expect(statistics.map(({ name }) => name)).toContain('organisations_searched');
    for (const { name, expression, table } of statistics) {
      const plan = await services[0].sql(`EXPLAIN (VERBOSE) SELECT ${expression} FROM ${table}`);
      expect([name, JSON.stringify(plan)]).toEqual([name, expect.stringContaining('fold_letters(')]);
      expect([name, JSON.stringify(plan)]).toEqual([name, expect.not.stringContaining('NORMALIZE')]);
    }
  });

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

  it('undoLastMigration goes no further down than release 1.0.0', async () => {
    const database = await createTestDatabase();
    const before = await catalogueOf(database.url);
    const options = { ...dataSourceOptions(database.url, 2), migrations: MIGRATIONS.slice(0, 1) };
    const dataSource = await new DataSource({ ...options, logger: 'debug' }).initialize();
    try {
      await expect(dataSource.undoLastMigration()).rejects.toThrow('there is no schema before release 1.0.0');
    } finally {
      await dataSource.destroy();
    }
    expect(await catalogueOf(database.url)).toEqual(before);
    await database.drop();
  });
});
