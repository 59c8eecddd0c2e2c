import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(__dirname, '../../releases');

/** What a released build left behind for the tests of those that come after it. */
export interface Release {
  readonly name: string;
  /** SQL that makes its database, empty but for what the service itself puts there. */
  readonly dump: string;
  /** The statements that its processes sent while all written samples of both variants were asked for. */
  readonly statements: readonly string[];
}

/** All releases, oldest first. */
export const RELEASES: readonly Release[] = readdirSync(FOLDER)
  .sort()
  .map((name) => ({
    name,
    dump: readFileSync(join(FOLDER, name, 'dump.sql'), 'utf8'),
    statements: JSON.parse(readFileSync(join(FOLDER, name, 'statements.json'), 'utf8')) as string[],
  }));
