import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Option } from 'commander';
import type { Pool } from 'pg';
import { withAsciiDomain } from '@app/formats/email-domains';
import { poolOf } from '@app/platform/database/database-pool';
import { csvStream } from '@app/platform/lists/csv-rows';
import { commandHelp, type CommandLine, identifier, pointInTime } from '../command';
import type { CommandRun } from '../database';
import { CommandFailed, WrongUse } from '../outcome';
import { writeNewFile } from '../terminal';
import { type AuditedChange, auditedChanges, type AuditSearch, FIELDS, lineOf } from './audit-reading';

/** Maximum changes on the terminal; an export has no limit. */
const SHOWN_CHANGES = 100;

const CSV_COLUMNS = Object.keys(FIELDS).filter((field) => field !== 'onBehalfOf');

interface AuditOptions extends AuditSearch {
  /** JSON objects, one per line, instead of lines for people. */
  readonly json?: boolean;
  /** A file for csv instead; `-` is standard output. */
  readonly csv?: string;
}

/** Streams the changes that match a search, newest first. */
async function exportAudit(
  { dataSource, terminal }: CommandRun,
  { json = false, csv, ...search }: AuditOptions,
): Promise<void> {
  const pool = poolOf(dataSource);
  await checkSearch(pool, search);
  const { limit = json || csv !== undefined ? undefined : SHOWN_CHANGES } = search;
  let count = 0;
  async function* changes<Row>(rowOf: (change: AuditedChange) => Row): AsyncGenerator<Row> {
    for await (const change of auditedChanges(pool, { ...search, limit })) {
      count += 1;
      yield rowOf(change);
    }
  }
  const textOf = json ? JSON.stringify : lineOf;
  // Columns differ between tables, so `before` and `after` are cells with JSON.
  const output =
    csv === undefined
      ? Readable.from(changes((change) => `${textOf(change)}\n`))
      : csvStream(
          changes((change) => ({ ...change, at: change.at.toISOString() })),
          CSV_COLUMNS,
        );
  if (csv !== undefined && csv !== '-') await writeNewFile(csv, output);
  else await pipeline(output, process.stdout, { end: false });
  if (count === 0) terminal.say(await nothingFound(pool, search));
  else if (count === limit)
    terminal.say(`These are the newest ${count}: --limit shows more, --until older ones`);
}

/**
 * Suggests a search for changes of the user's own record, because others make them, for example a
 * registration by an invitation.
 */
async function nothingFound(pool: Pool, { user }: AuditSearch): Promise<string> {
  if (user === undefined) return 'No change was found';
  const { rows } = await pool.query<{ id: number }>(
    'SELECT id FROM users WHERE fold_case(username) = fold_case($1) ORDER BY deleted_at DESC NULLS FIRST LIMIT 1',
    [user],
  );
  return `${user} made no such change; --table users --record ${rows[0]?.id} shows changes of the user's own record`;
}

/** A misspelt name must not look like a user without changes. */
async function checkSearch(pool: Pool, { user, table, record }: AuditSearch): Promise<void> {
  if (record !== undefined && table === undefined) throw new WrongUse('--record needs --table');
  if (table !== undefined) {
    const { rows } = await pool.query<{ name: string }>(
      `SELECT tgrelid::regclass::text AS name FROM pg_trigger WHERE tgname = 'audit' ORDER BY name`,
    );
    const names = rows.map(({ name }) => name);
    if (!names.includes(table)) throw new WrongUse(`--table must be one of ${names.join(', ')}`);
  }
  if (user === undefined) return;
  const known = await pool.query('SELECT 1 FROM users WHERE fold_case(username) = fold_case($1) LIMIT 1', [
    user,
  ]);
  if (known.rows.length === 0) {
    throw new CommandFailed(`there is no user ${JSON.stringify(user)}, nor a deleted one`);
  }
}

const HELP = commandHelp(
  `Shows who changed users, organisations, credentials, rights and grants: when (UTC), by which credential, from which
address, and the columns before and after. The newest change comes first. For secrets the log only shows that they
changed. With --json every change is a JSON object on its own line.`,
  `Examples:
  $ npm run cli -- audit --since 24h
  $ npm run cli -- audit --user jan@example.com --since 2026-11-01 --until 2026-12-01
  $ npm run cli -- audit --table users --record 42
  $ npm run cli -- audit --organisation 7 --csv organisation-7.csv
  $ npm run cli -- audit --since 15m --json`,
);

export function declare(cli: CommandLine): void {
  cli
    .command('audit', HELP)
    .option('--user <name>', 'changes made with credentials of this user', withAsciiDomain)
    .option('--organisation <id>', 'changes of this organisation and what belongs to it', identifier)
    .option('--table <name>', 'changes of rows of this table')
    .option('--record <id>', 'changes of this row of the table', identifier)
    .option('--since <time>', 'since then: 15m, 24h or 7d ago, or a date (UTC)', (text) => pointInTime(text))
    .option('--until <time>', 'before then', (text) => pointInTime(text))
    .option('--limit <number>', 'only the newest ones (100; exports have no limit)', identifier)
    .addOption(new Option('--csv <file>', 'write csv into a new file; -: standard output').conflicts('json'))
    .action((options: AuditOptions) => cli.run((run) => exportAudit(run, options)));
}
