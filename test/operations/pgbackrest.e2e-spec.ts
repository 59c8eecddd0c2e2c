import { execFile, execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../support/faults/free-port';
import { commandsOf } from '../support/generators/samples';
import { runCli } from '../support/service/cli';
import { asAdmin } from '../support/service/client';
import { runStatement } from '../support/service/databases';
import { type ServiceProcess, settingsOn, startServiceProcess } from '../support/service/processes';
import { until } from '../support/service/until';

const run = promisify(execFile);

const PAGE = 'docs/pgbackrest.md';
/** What pgBackRest of Debian 12 knows. */
const PROGRAMS = '/usr/lib/postgresql/15/bin';
const USER = 'postgres';

/** PostgreSQL does not run as root, and only root may become its user. */
const isThere =
  existsSync(join(PROGRAMS, 'initdb')) &&
  process.getuid?.() === 0 &&
  ['pgbackrest', 'runuser'].every((program) => spawnSync('which', [program]).status === 0) &&
  spawnSync('id', [USER]).status === 0;

const folder = mkdtempSync(join(tmpdir(), 'account-api-pgbackrest-'));
const data = join(folder, 'data');
const configuration = join(folder, 'pgbackrest.conf');
let port: number;
let service: ServiceProcess | undefined;

/** As the user that runs PostgreSQL. */
const shell = async (commands: string, env: NodeJS.ProcessEnv = {}): Promise<string> => {
  const { stdout } = await run('runuser', ['-u', USER, '--', 'bash', '-ec', commands], {
    cwd: folder,
    env: {
      PATH: `${PROGRAMS}:${process.env['PATH']}`,
      PGDATA: data,
      PGBACKREST_CONFIG: configuration,
      ...env,
    },
  });
  return stdout;
};
/** A server holds on to the streams that it got at its start, so they are not those of the test. */
const started = (commands: string): string =>
  commands.replace('--wait', `--wait --log=${folder}/log > /dev/null 2>&1`);
const ask = async (statement: string): Promise<string> =>
  (await shell(`psql -h ${folder} -p ${port} -d account -Atc "${statement}"`)).trim();
/** The block of the page that holds these words. */
const block = (words: string): string => commandsOf(PAGE, words);
const inDatabase = (words: string): string => commandsOf('docs/database.md', words);
const databaseUrl = (): string => `postgres://${USER}@127.0.0.1:${port}/account`;

/** Each piece of a file of settings that the page shows, without what only its example says. */
function settingsOfPage(): { pgbackrest: string; postgres: string } {
  const text = readFileSync(join(__dirname, '../..', PAGE), 'utf8');
  const [, pgbackrest = ''] = /```ini\n([^]*?)```/.exec(text) ?? [];
  const [, postgres = ''] = /```\n(archive_mode[^]*?)```/.exec(text) ?? [];
  return {
    pgbackrest: pgbackrest
      .replace('/var/lib/pgbackrest', join(folder, 'repository'))
      .replace('/var/lib/postgresql/15/main', data)
      .replace('pg1-port=5432', `pg1-port=${port}\npg1-socket-path=${folder}`)
      .replace(/(?<=cipher-pass=).*/, 'a pass phrase of the test')
      .replace('[global]', `[global]\nlock-path=${folder}/lock\nlog-path=${folder}\nspool-path=${folder}`),
    postgres,
  };
}

beforeAll(async () => {
  if (!isThere) return;
  port = await freePort();
  execFileSync('chown', [USER, folder]);
  chmodSync(folder, 0o755);
  const { pgbackrest, postgres } = settingsOfPage();
  writeFileSync(configuration, pgbackrest);
  await shell('initdb --auth=trust --no-sync --encoding=UTF8 > /dev/null && mkdir repository');
  appendFileSync(
    join(data, 'postgresql.conf'),
    `port = ${port}\nunix_socket_directories = '${folder}'\nlisten_addresses = '127.0.0.1'\n${postgres}`,
  );
  await shell(started('pg_ctl start --pgdata="$PGDATA" --wait'));
  await runStatement(databaseUrl().replace(/account$/, 'postgres'), 'CREATE DATABASE account');
});
afterAll(async () => {
  service?.child.kill('SIGKILL');
  await service?.ended;
  if (isThere)
    spawnSync('runuser', ['-u', USER, '--', join(PROGRAMS, 'pg_ctl'), 'stop', '-m', 'immediate', '-D', data]);
  rmSync(folder, { recursive: true, force: true });
});

/** Skipped where a program is not installed. */
const itWithPrograms = isThere ? it : it.skip;

itWithPrograms(
  'docs/pgbackrest.md restores all that was acknowledged before a point in time, and nothing from after it',
  async () => {
    service = startServiceProcess(settingsOn(databaseUrl()));
    const url = await service.address;
    const admin = await asAdmin({ url });
    const acknowledged: string[] = [];
    const write = async (name: string): Promise<void> => {
      await admin.post('/organisations', { name, taxNumber: 'NL1' }).expect(201);
      acknowledged.push(name);
    };
    const writeMany = async (prefix: string, count: number): Promise<void> => {
      for (let index = 0; index < count; index++) await write(`${prefix} ${index}`);
    };
    const namesIn = async (): Promise<string[]> =>
      (await ask('SELECT name FROM organisations WHERE id > 1 ORDER BY id')).split('\n');

    await shell(block('stanza-create'));
    await writeMany('before the backup', 5);
    // Writes go on during the backup.
    let isOver = false;
    const during = (async () => {
      for (let index = 0; !isOver; index++) await write(`during the backup ${index}`);
    })();
    const report = await shell(block('--type=full backup'));
    isOver = true;
    await during;
    expect(report).toMatch(/status: ok[^]*full backup[^]*incr backup/);
    await writeMany('after the backup', 20);
    const expected = [...acknowledged];
    const target = await ask('SELECT clock_timestamp()');
    await writeMany('after the target', 5);
    await ask('SELECT pg_switch_wal()');
    expect(await namesIn()).toEqual(acknowledged);

    await service.stop();
    service = undefined;
    await shell('pg_ctl stop --pgdata="$PGDATA" --mode=fast');
    rmSync(data, { recursive: true });
    mkdirSync(data, { mode: 0o700 });
    execFileSync('chown', [USER, data]);

    await shell(started(block('--type=time')), { TARGET: target });
    await until(async () => (await ask('SELECT pg_is_in_recovery()')) === 'f');
    expect(await namesIn()).toEqual(expected);
    expect(block('after-restore')).toContain('after-restore --yes');
    const ended = await runCli({ url: databaseUrl() }, ['after-restore', '--yes', '--json']);
    expect(ended).toMatchObject({ exitCode: 0, messages: [] });
    expect(ended.report).toMatchObject({ ended: { logins: 1 }, verify: { isWhole: true } });
    expect(await runCli({ url: databaseUrl() }, ['verify'])).toMatchObject({ exitCode: 0 });
    await shell('pgbackrest --stanza=account --type=full backup');
  },
);

itWithPrograms(
  'docs/database.md restores a dump by pg_restore, and makes a base backup by pg_basebackup',
  async () => {
    const urlOf = (name: string): string => databaseUrl().replace(/account$/, name);
    await runStatement(databaseUrl(), 'CREATE ROLE account LOGIN');
    await shell(inDatabase('pg_dump'), { DATABASE_URL: databaseUrl() });
    await shell(inDatabase('pg_restore'), {
      SUPERUSER_URL: urlOf('postgres'),
      RESTORED_URL: urlOf('account_restored'),
    });
    const organisations = (name: string): Promise<string> =>
      shell(`psql "${urlOf(name)}" -Atc 'SELECT id, name FROM organisations ORDER BY id'`);
    expect(await organisations('account_restored')).toBe(await organisations('account'));
    await shell(inDatabase('pg_basebackup').replace('/backup', folder), { REPLICATION_URL: databaseUrl() });
    await shell(`pg_verifybackup ${folder}/base`);
  },
);
