import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The running build: during an upgrade the processes of a cluster differ. */
export const BUILD = {
  version: versionAbove(__dirname),
  node: process.versions.node,
} as const;

/** Looks upwards: sources and compiled files lie at different depths. */
function versionAbove(folder: string): string {
  const file = join(folder, 'package.json');
  if (existsSync(file)) return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
  return dirname(folder) === folder ? 'unknown' : versionAbove(dirname(folder));
}
