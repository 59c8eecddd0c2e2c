import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The running build. During an upgrade the processes of a cluster differ. */
export const BUILD = {
  version: versionAbove(__dirname),
  node: process.versions.node,
} as const;

/** Searches upwards, because sources and compiled files have different depths. */
function versionAbove(folder: string): string {
  const file = join(folder, 'package.json');
  if (existsSync(file)) return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
  return dirname(folder) === folder ? 'unknown' : versionAbove(dirname(folder));
}
