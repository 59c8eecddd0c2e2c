import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

const FOLDER = join(__dirname, '../../releases');

/** What a released build left behind for the tests of those that come after it. */
interface Release {
  readonly name: string;
  /** SQL that makes its database, with rows in every table. */
  readonly dump: string;
  /** The statements that its processes sent while all written samples of both variants were asked for. */
  readonly statements: readonly string[];
}

const textOf = (...path: string[]): string => gunzipSync(readFileSync(join(FOLDER, ...path))).toString();

/** All releases, oldest first. */
export const RELEASES: readonly Release[] = readdirSync(FOLDER)
  .sort()
  .map((name) => ({
    name,
    dump: textOf(name, 'dump.sql.gz'),
    statements: JSON.parse(textOf(name, 'statements.json.gz')) as string[],
  }));
