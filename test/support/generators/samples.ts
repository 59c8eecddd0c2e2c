import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { ADMIN, TEST_SECRETS_KEY } from '../service/service';

export const ROOT = resolve(__dirname, '../../..');

/** A block of commands in a page, and the output that the page shows for it. */
export interface Sample {
  readonly page: string;
  readonly commands: string;
  readonly shown: readonly string[];
  /** Why no test runs it: `sh not run: needs Docker` in the first line of the block. */
  readonly notRun: string | undefined;
  /** Which test reads it and runs it, apart from those of its page: `sh run by test/…`. */
  readonly runBy: string | undefined;
}

/** The blocks of commands of a page in their order. */
export function samplesOf(page: string): Sample[] {
  const source = readFileSync(join(ROOT, page), 'utf8');
  const blocks =
    /^( *(?:\d\. )?)```sh(?: not run: (.+)| run by (\S+))?\n([^]*?)^ *```\n(?:\n```\n([^]*?)^```)?/gm;
  return [...source.matchAll(blocks)].map(([, , notRun, runBy, commands = '', shown = '']) => ({
    page,
    commands,
    notRun,
    runBy,
    shown: shown.split('\n').filter((line) => line.trim() !== ''),
  }));
}

/** The commands of the one block of a page that holds these words. */
export function commandsOf(page: string, words: string): string {
  const found = samplesOf(page).filter(({ commands }) => commands.includes(words));
  if (found.length !== 1) throw new Error(`${page} has ${found.length} blocks with ${words}`);
  return found[0]?.commands ?? '';
}

export interface Place {
  /** Where the commands run. */
  readonly folder: string;
  readonly serviceUrl: string;
  readonly databaseUrl: string;
  /** What a person types when asked. */
  readonly typed?: string;
}

/**
 * `npm run cli` runs the command line of this tree; the service that `npm start` would start runs already.
 */
const PRELUDE = `
exec 2>&1
npm() {
  while [ "$1" = run ] || [ "$1" = --silent ] || [ "$1" = cli ]; do shift; done
  case "$1" in
    start) ;;
    --) shift; "$NODE" --require "$ROOT/scripts/typescript-register.cjs" "$ROOT/apps/cli/main.ts" "$@" ;;
    *) echo "no test knows: npm $*"; return 1 ;;
  esac
}
`;

const SEPARATOR = '<<next block>>';

/** Runs blocks in one shell, one after the other, and returns the output of each. */
export async function runSamples(samples: readonly Sample[], place: Place): Promise<string[]> {
  const script = samples
    .map(({ commands }) =>
      commands
        .replaceAll(/http:\/\/localhost:300\d/g, place.serviceUrl)
        .replaceAll('admin@localhost.localdomain', ADMIN.username)
        .replaceAll('<printed at start>', ADMIN.password),
    )
    .join(`\nprintf '%s' '${SEPARATOR}'\n`);
  const child = spawn('bash', ['-c', PRELUDE + script], {
    cwd: place.folder,
    env: {
      PATH: process.env.PATH,
      NODE: process.execPath,
      ROOT,
      BCRYPT_COST: '4',
      DATABASE_URL: place.databaseUrl,
      SECRETS_KEY: TEST_SECRETS_KEY,
    },
    stdio: 'pipe',
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(place.typed ?? '');
  return (await text(child.stdout)).split(SEPARATOR);
}
