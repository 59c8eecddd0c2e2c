import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..');

/** Runs a file as `npm run` does, and ends it where it takes a word for work to do. */
function run(file: string, ...args: readonly string[]) {
  const options = { cwd: root, encoding: 'utf8', timeout: 20_000 } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, file), ...args], options);
  return { status, stdout, stderr };
}

const COMMANDS: readonly (readonly [file: string, ...args: string[]])[] = [
  ['scripts/pages-screenshots.mjs'],
  ['scripts/lint-openapi.mjs'],
  ['scripts/without-b.mjs'],
  ['scripts/remove-variant-b.mjs'],
  ['scripts/build.mjs'],
  ['scripts/test.mjs'],
  ['scripts/faults.mjs'],
  ['scripts/migration.mjs', 'migration:create'],
  ['scripts/qa.mjs'],
  ['scripts/qa.mjs', 'compare'],
  ['tools/bench/run.mjs'],
  ['tools/docs/run.mjs'],
];

/** Those of Variant B go with it. */
const existing = COMMANDS.filter(([file]) => existsSync(join(root, file))).map(
  (words) => [words.join(' '), words] as const,
);

it.each(existing)('%s prints its usage for --help, and does nothing', (_, [file, ...args]) => {
  const { status, stdout, stderr } = run(file, ...args, '--help');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^Usage: /);
});

it.each(existing)('%s ends with 2 and one line for a word that it does not know', (_, [file, ...args]) => {
  const { status, stdout, stderr } = run(file, ...args, '--nonsense');
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toMatch(/^.*--nonsense.*\n$/);
});

it('leaves the options of suites to jest, and prints their usage', () => {
  const { status, stdout } = run('scripts/qa-suites.mjs', '--help');
  expect(status).toBe(0);
  expect(stdout).toMatch(/^Usage: npm run qa:suites /);
});
