import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Pool } from 'pg';
import { type AuditedChange, auditedChanges, type AuditSearch, lineOf } from './audit-reading';
import { csvStream } from '@app/platform/lists/csv-rows';
import { poolOf } from '@app/platform/database/database-pool';
import type { CommandRun } from '../database';
import { CommandFailed, WrongUse } from '../outcome';
import { writeNewFile } from '../terminal';
import { Option } from 'commander';
import { commandHelp, type CommandLine, identifier, pointInTime } from '../command';

/** Maximum changes on the terminal; an export has no limit. */
const SHOWN_CHANGES = 100;

const CSV_COLUMNS: readonly (keyof AuditedChange)[] = [
  'id',
  'at',
  'actorUserId',
  'actorUsername',
  'actorCredentialKind',
  'actorCredentialId',
  'actorName',
  'address',
  'requestId',
  'action',
  'table',
  'recordId',
  'organisationId',
  'before',
  'after',
];

/** The format of the output: lines for people, JSON objects, one per line, or csv in a file (`-`: standard output). */
type AuditForm = { readonly kind: 'lines' | 'json' } | { readonly kind: 'csv'; readonly file: string };

/** Streams the changes that match a search, newest first. */
async function exportAudit(
  { dataSource, terminal }: CommandRun,
  search: AuditSearch,
  form: AuditForm,
): Promise<void> {
  // The pool of the TypeORM driver, which is its documented `master` connection.
  const pool = poolOf(dataSource);
  await checkSearch(pool, search);
  const limit = search.limit ?? (form.kind === 'lines' ? SHOWN_CHANGES : undefined);
  let count = 0;
  async function* counted(): AsyncGenerator<AuditedChange> {
    for await (const change of auditedChanges(pool, { ...search, limit })) {
      count += 1;
      yield change;
    }
  }
  await write(counted(), form);
  if (count === 0) terminal.say(await nothingFound(pool, search));
  else if (count === limit)
    terminal.say(`These are the newest ${count}: --limit shows more, --until older ones`);
}

/**
 * Suggests a search for changes of the user's own record, because others make them, for example a registration by an
 * invitation.
 */
async function nothingFound(pool: Pool, { username }: AuditSearch): Promise<string> {
  if (username === undefined) return 'No change was found';
  const { rows } = await pool.query<{ id: number }>(
    'SELECT id FROM users WHERE lower(username) = lower($1) ORDER BY deleted_at DESC NULLS FIRST LIMIT 1',
    [username],
  );
  return `${username} made no such change; --table users --record ${rows[0]?.id} shows changes of the user's own record`;
}

/** A misspelt name must not look like a user without changes. */
async function checkSearch(pool: Pool, { username, table, recordId }: AuditSearch): Promise<void> {
  if (recordId !== undefined && table === undefined) throw new WrongUse('--record needs --table');
  if (table !== undefined) {
    const { rows } = await pool.query<{ name: string }>(
      `SELECT tgrelid::regclass::text AS name FROM pg_trigger WHERE tgname = 'audit' ORDER BY name`,
    );
    // Refused requests belong to no table.
    const names = [...rows.map(({ name }) => name), 'refusals'].sort();
    if (!names.includes(table)) throw new WrongUse(`--table must be one of ${names.join(', ')}`);
  }
  if (username === undefined) return;
  const known = await pool.query('SELECT 1 FROM users WHERE lower(username) = lower($1) LIMIT 1', [username]);
  if (known.rows.length === 0) {
    throw new CommandFailed(`there is no user ${JSON.stringify(username)}, nor a deleted one`);
  }
}

const TEXTS: Readonly<Record<'lines' | 'json', (change: AuditedChange) => string>> = {
  lines: lineOf,
  json: (change) => JSON.stringify(change),
};

async function write(changes: AsyncIterable<AuditedChange>, form: AuditForm): Promise<void> {
  if (form.kind !== 'csv') {
    await pipeline(Readable.from(linesOf(changes, TEXTS[form.kind])), process.stdout, { end: false });
  } else if (form.file === '-') {
    await pipeline(csvStream(cellsOf(changes), CSV_COLUMNS), process.stdout, { end: false });
  } else {
    await writeNewFile(form.file, csvStream(cellsOf(changes), CSV_COLUMNS));
  }
}

async function* linesOf(
  changes: AsyncIterable<AuditedChange>,
  textOf: (change: AuditedChange) => string,
): AsyncGenerator<string> {
  for await (const change of changes) yield `${textOf(change)}\n`;
}

/** Columns differ between tables, so `before` and `after` are cells with JSON. */
async function* cellsOf(changes: AsyncIterable<AuditedChange>): AsyncGenerator<object> {
  for await (const change of changes) yield { ...change, at: change.at.toISOString() };
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

interface AuditOptions {
  readonly json?: boolean;
  readonly user?: string;
  readonly organisation?: number;
  readonly table?: string;
  readonly record?: number;
  readonly since?: Date;
  readonly until?: Date;
  readonly limit?: number;
  readonly csv?: string;
}

export function declare(cli: CommandLine): void {
  cli
    .command('audit', HELP)
    .option('--user <name>', 'changes made with credentials of this user')
    .option('--organisation <id>', 'changes of this organisation and what belongs to it', identifier)
    .option('--table <name>', 'changes of rows of this table')
    .option('--record <id>', 'changes of this row of the table', identifier)
    .option('--since <time>', 'since then: 15m, 24h or 7d ago, or a date (UTC)', (text) => pointInTime(text))
    .option('--until <time>', 'before then', (text) => pointInTime(text))
    .option('--limit <number>', 'only the newest ones (100; exports have no limit)', identifier)
    .addOption(new Option('--csv <file>', 'write csv into a new file; -: standard output').conflicts('json'))
    .action(({ json = false, csv, ...options }: AuditOptions) => {
      const { user: username, organisation: organisationId, record: recordId, ...rest } = options;
      const search = { username, organisationId, recordId, ...rest };
      const form =
        csv === undefined
          ? ({ kind: json ? 'json' : 'lines' } as const)
          : ({ kind: 'csv', file: csv } as const);
      return cli.run((run) => exportAudit(run, search, form));
    });
}
