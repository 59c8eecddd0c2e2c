import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import type { SavedTallies } from './tallies';

/** A run that was stopped, without anything that could be a secret. */
export interface SavedRun {
  /** What the run compares; another one cannot go on with it. */
  readonly of: string;
  /** The position of the last request that was begun. */
  readonly through: number;
  /** Requests before it that are still to be sent. */
  readonly without: readonly number[];
  readonly tallies: SavedTallies;
  readonly identifiers: readonly (readonly [string, string])[];
}

const OWNER_ALONE = 0o600;

/** Where a stopped run of a file of requests is kept. */
export const savedRunPath = (requests: string): string => `${requests}.compare`;

const START = 64 * 1024;

/** What makes a run the same: the file, the servers, and what is sent and counted of it. */
export function identityOfRun(requests: string, options: unknown): string {
  const hash = createHash('sha256')
    .update(JSON.stringify(options))
    .update(String(statSync(requests).size));
  const file = openSync(requests, 'r');
  try {
    const start = Buffer.alloc(START);
    hash.update(start.subarray(0, readSync(file, start, 0, START, 0)));
  } finally {
    closeSync(file);
  }
  return hash.digest('hex');
}

/** Renamed into its place: an end in the middle leaves the one before. */
export function saveRun(path: string, run: SavedRun): void {
  const written = `${path}.${process.pid}`;
  writeFileSync(written, JSON.stringify(run), { mode: OWNER_ALONE });
  renameSync(written, path);
}

export const removeRun = (path: string): void => rmSync(path, { force: true });

/** The stopped run, or what is wrong with it; nothing where none was stopped. */
export function readRun(path: string, of: string): SavedRun | string | undefined {
  if (!existsSync(path)) return undefined;
  try {
    const run = JSON.parse(readFileSync(path, 'utf8')) as SavedRun;
    return run.of === of ? run : `${path} is of another run: of another file, or with other options.`;
  } catch {
    return `${path} cannot be read. Without --resume the run begins anew.`;
  }
}
