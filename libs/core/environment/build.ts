import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { MIGRATIONS } from '../database/migrations/all';

/** Which build runs: while a cluster is upgraded its processes differ in one of these. */
export const BUILD = {
  version: versionAbove(__dirname),
  /** The newest migration that the build knows. */
  schema: MIGRATIONS.at(-1)?.name ?? '',
  node: process.versions.node,
} as const;

/** The sources lie as deep below package.json as what is compiled from them does below `dist`. */
function versionAbove(folder: string): string {
  const file = join(folder, 'package.json');
  if (existsSync(file)) return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
  return dirname(folder) === folder ? 'unknown' : versionAbove(dirname(folder));
}
