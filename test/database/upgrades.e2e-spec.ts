import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { QueryRunner } from 'typeorm';
import { MIGRATIONS } from '@app/migrations/all';
import { migrate } from '@app/migrations/migrate';
import { asAdmin } from '../support/service/client';
import {
  backUpOf,
  createEmptyDatabase,
  createTestDatabase,
  runStatement,
  type TestDatabase,
} from '../support/service/databases';
import { useFiles } from '../support/service/files';
import { settingsOn, startServiceProcess } from '../support/service/processes';
import { type Release, RELEASE_ROWS, RELEASES } from '../support/service/releases';
import {
  catalogueOf,
  downAndUp,
  emptyTables,
  fill,
  type Migration,
  outOfOrder,
  refusedStatements,
  tablesHeld,
  upgrade,
} from '../support/service/upgrades';

/**
 * Migrations that look through a table of customers while they hold it, with the reason why that is no harm.
 * Each is a decision: at a million organisations whoever waits for the lock waits for seconds.
 */
const LOOKING_THROUGH: Readonly<Record<string, string>> = {};

/**
 * A made-up migration of a later release: its number, which stands behind those of all
 * migrations, is part of its name. It names what it adds `made_up_…`, which no real migration does.
 */
function migration(name: string, up: string, down = ''): Migration {
  const Made = class {
    readonly name = name;
    readonly up = (runner: QueryRunner): Promise<unknown> => runner.query(up);
    readonly down = (runner: QueryRunner): Promise<unknown> => runner.query(down);
  };
  Object.defineProperty(Made, 'name', { value: name });
  return Made;
}

const AddsColumn = migration(
  'AddsColumn9000000000001',
  'ALTER TABLE contacts ADD COLUMN made_up_column text',
  'ALTER TABLE contacts DROP COLUMN made_up_column',
);
const AddsTable = migration(
  'AddsTable9000000000002',
  'CREATE TABLE made_up_table (id integer CONSTRAINT made_up_table_pkey PRIMARY KEY)',
  'DROP TABLE made_up_table',
);
const LooksThrough = migration(
  'LooksThrough9000000000003',
  `ALTER TABLE users ADD CONSTRAINT made_up_check CHECK (username <> '')`,
);
const WritesAnew = migration(
  'WritesAnew9000000000004',
  'ALTER TABLE logins ALTER COLUMN address TYPE text USING lower(address)',
);
const RenamesColumn = migration(
  'RenamesColumn9000000000005',
  'ALTER TABLE contacts RENAME COLUMN name TO made_up_name',
);
const LeavesTable = migration(
  'LeavesTable9000000000006',
  'CREATE TABLE made_up_leftover (id integer)',
  'SELECT 1',
);
const BetweenOthers = migration('BetweenOthers1', 'SELECT 1');

const made: TestDatabase[] = [];
afterAll(() => Promise.all(made.map((database) => database.drop())));

async function keep(database: Promise<TestDatabase>): Promise<string> {
  made.push(await database);
  return (await database).url;
}

const files = useFiles();
const recording = files.path('statements.txt');
let recorded: TestDatabase;
/**
 * The present build, recorded here as docs/release.md records a release. So the tests do
 * not wait for the first one.
 */
const PRESENT: Release = {
  name: 'the present build',
  restore: () => backUpOf(recorded),
  statements: () =>
    readFileSync(recording, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as string),
};
const present = (): Promise<string> => keep(PRESENT.restore());

beforeAll(async () => {
  recorded = await createTestDatabase();
  made.push(recorded);
  const recorder = join(__dirname, '../../scripts/statement-recorder.cjs');
  const settings = { NODE_OPTIONS: `--require "${recorder}"`, RECORD_STATEMENTS: recording };
  const { address, stop } = startServiceProcess(settingsOn(recorded.url, settings));
  const admin = await asAdmin({ url: await address });
  const contact = { type: 'email', name: 'news@operator.example' };
  await admin.post('/organisations/1/users/1/contacts', contact).expect(201);
  await stop();
});

const UPGRADES = [
  { ...PRESENT, migrations: [...MIGRATIONS, AddsColumn, AddsTable] },
  ...RELEASES.map((release) => ({ ...release, migrations: MIGRATIONS })),
];

describe.each(UPGRADES)('an upgrade from $name', ({ restore, statements, migrations }) => {
  it('has its migrations behind those of the release', async () => {
    expect(await outOfOrder(await keep(restore()), migrations)).toEqual([]);
  });

  it('holds no table of customers while it looks through it', async () => {
    const url = await keep(restore());
    await fill(url);
    const found = Object.entries(await tablesHeld(url, migrations));
    expect(found.filter(([name, tables]) => tables.length > 0 !== name in LOOKING_THROUGH)).toEqual([]);
  });

  it('ends with the schema of a new database, which takes the statements of the release', async () => {
    const old = await keep(restore());
    const fresh = await keep(createEmptyDatabase());
    for (const url of [old, fresh]) {
      await migrate(url);
      await upgrade(url, migrations);
    }
    const catalogue = await catalogueOf(fresh);
    expect(catalogue.length).toBeGreaterThan(800);
    expect(await catalogueOf(old)).toEqual(catalogue);
    const sent = statements();
    expect(sent.length).toBeGreaterThan(40);
    expect(await refusedStatements(old, sent)).toEqual({});
  });

  it('goes down to the first release and up to the same again', async () => {
    const url = await keep(restore());
    await upgrade(url, migrations);
    const before = await catalogueOf(url);
    await downAndUp(url, migrations);
    expect(await catalogueOf(url)).toEqual(before);
  });
});

describe('a dump in test/releases', () => {
  for (const { name, restore } of RELEASES) {
    it(`has rows in every table: ${name}`, async () => {
      expect(await emptyTables(await keep(restore()))).toEqual([]);
    });
  }

  it('gets rows by release-rows.sql, which fits the present schema', async () => {
    const url = await present();
    await fill(url);
    const tables = [...RELEASE_ROWS.matchAll(/^INSERT INTO (\w+)/gm)].map(([, table = '']) => table);
    const empty = await emptyTables(url);
    expect(empty).toEqual(
      expect.arrayContaining(['acls', 'documents', 'service_keys', 'webhook_deliveries']),
    );
    await runStatement(url, RELEASE_ROWS);
    expect(await emptyTables(url)).toEqual(empty.filter((table) => !tables.includes(table)));
  });
});

describe('the tests of upgrades find', () => {
  it('a migration that holds a table of customers', async () => {
    const url = await present();
    await fill(url);
    expect(await tablesHeld(url, [...MIGRATIONS, LooksThrough, WritesAnew, AddsColumn, AddsTable])).toEqual({
      [LooksThrough.name]: ['users'],
      [WritesAnew.name]: ['logins'],
      [AddsColumn.name]: [],
      [AddsTable.name]: [],
    });
  });

  it('a migration between those that a release has run', async () => {
    const url = await present();
    await upgrade(url, [...MIGRATIONS, AddsColumn]);
    const migrations = [...MIGRATIONS, BetweenOthers, AddsColumn, AddsTable];
    expect(await outOfOrder(url, migrations)).toEqual([BetweenOthers.name]);
  });

  it('a migration that was changed after its release', async () => {
    const url = await present();
    const released = await catalogueOf(url);
    await runStatement(url, 'ALTER TABLE contacts ALTER COLUMN name SET DEFAULT $$$$');
    const changed = (await catalogueOf(url)).filter(
      (row, position) => row.definition !== released[position]?.definition,
    );
    expect(changed).toMatchObject([{ kind: 'column', name: 'contacts.name' }]);
  });

  it('a migration that takes away what the release still uses', async () => {
    const url = await present();
    await upgrade(url, [...MIGRATIONS, RenamesColumn]);
    const used = 'SELECT name FROM contacts';
    const other = 'SELECT id FROM contacts';
    expect(await refusedStatements(url, [used, other])).toEqual({ [used]: 'column "name" does not exist' });
  });

  it('a migration whose way down leaves something', async () => {
    const url = await present();
    const migrations = [...MIGRATIONS, LeavesTable];
    await upgrade(url, migrations);
    await expect(downAndUp(url, migrations)).rejects.toThrow('relation "made_up_leftover" already exists');
  });
});
