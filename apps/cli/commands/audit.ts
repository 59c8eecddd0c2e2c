import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Pool } from 'pg';
import { auditedChanges, type AuditedChange, type AuditSearch } from './audit-reading';
import { csvStream } from '@app/core/csv/csv-rows';
import { poolOf } from '@app/core/database/pool';
import type { Database } from '../database';
import { CommandFailed, WrongUse } from '../outcome';
import type { Terminal } from '../terminal';
import { lineOf } from './audit-lines';

/** Changes that are shown to people unless they ask for another number; an export has no such limit. */
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

/** Where and how the changes are written: lines for people, a JSON object a line, or csv into a file (`-`: standard output). */
export type AuditForm = { readonly kind: 'lines' | 'json' } | { readonly kind: 'csv'; readonly file: string };

/** Writes the changes of a search, newest first, as they come from the database. */
export async function exportAudit(
  { dataSource }: Database,
  terminal: Terminal,
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
  if (count === 0) terminal.say('No change was found');
  else if (count === limit)
    terminal.say(`These are the newest ${count}: --limit shows more, --until older ones`);
}

/** A misspelt name must not look like a user who did nothing. */
async function checkSearch(pool: Pool, { username, table, recordId }: AuditSearch): Promise<void> {
  if (recordId !== undefined && table === undefined) throw new WrongUse('--record needs --table');
  if (table !== undefined) {
    const { rows } = await pool.query<{ name: string }>(
      `SELECT tgrelid::regclass::text AS name FROM pg_trigger WHERE tgname = 'audit' ORDER BY name`,
    );
    // What was refused belongs to no table.
    const names = [...rows.map(({ name }) => name), 'refusals'].sort();
    if (!names.includes(table)) throw new WrongUse(`--table must be one of ${names.join(', ')}`);
  }
  if (username === undefined) return;
  const known = await pool.query('SELECT 1 FROM users WHERE lower(username) = lower($1) LIMIT 1', [username]);
  if (known.rows.length === 0) {
    throw new CommandFailed(`there is no user ${JSON.stringify(username)}, nor a deleted one`);
  }
}

async function write(changes: AsyncIterable<AuditedChange>, form: AuditForm): Promise<void> {
  if (form.kind !== 'csv') {
    const textOf = form.kind === 'json' ? JSON.stringify : lineOf;
    await pipeline(Readable.from(linesOf(changes, textOf)), process.stdout, { end: false });
  } else if (form.file === '-') {
    await pipeline(csvStream(cellsOf(changes), CSV_COLUMNS), process.stdout, { end: false });
  } else {
    await writeFile(csvStream(cellsOf(changes), CSV_COLUMNS), form.file);
  }
}

async function* linesOf(
  changes: AsyncIterable<AuditedChange>,
  textOf: (change: AuditedChange) => string,
): AsyncGenerator<string> {
  for await (const change of changes) yield `${textOf(change)}\n`;
}

/** Columns differ from table to table: `before` and `after` are cells of JSON. */
async function* cellsOf(changes: AsyncIterable<AuditedChange>): AsyncGenerator<object> {
  for await (const change of changes) yield { ...change, at: change.at.toISOString() };
}

/** A whole file or none, which only its owner reads; one that is there is left alone. */
async function writeFile(content: Readable, file: string): Promise<void> {
  const output = createWriteStream(file, { flags: 'wx', mode: 0o600 });
  try {
    await pipeline(content, output);
  } catch (error) {
    const { code, syscall, message } = error as NodeJS.ErrnoException;
    if (syscall === 'open') {
      throw new CommandFailed(code === 'EEXIST' ? `${file} is there already` : `can not write: ${message}`);
    }
    await rm(file, { force: true });
    throw error;
  }
}
