import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { RELATED_TESTS, relatedTo } from './related-tests.cjs';

const ROOT = resolve(__dirname, '..');
const CONTRIBUTING = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');

/** The rows of the table below this head, without the head. */
function tableOf(head: string): string[][] {
  const [, rest = ''] = CONTRIBUTING.split(`${head}\n`);
  const lines = rest.split('\n').slice(1);
  return lines
    .slice(
      0,
      lines.findIndex((line) => !line.startsWith('|')),
    )
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

const testsIn = (cell: string): string[] => [...cell.matchAll(/[\w-]+\.e2e-spec\.ts/g)].map(([name]) => name);
const namesOf = (tests: readonly string[]): string[] => tests.map((path) => path.split('/').at(-1) ?? '');

const sources = ['libs', 'qa'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true }).map((path) => join(folder, String(path))),
);

describe('tests that run although their name does not tell', () => {
  it('are those that CONTRIBUTING.md names for a change of such a file', () => {
    const nameOf = (path: string): string => `\`${path.replaceAll(/^test\/|\.e2e-spec\.ts$/g, '')}\``;
    expect(tableOf('| You change | It also runs |')).toEqual(
      RELATED_TESTS.map(({ what, tests }) => [what, tests.map(nameOf).join(', ')]),
    );
  });

  it('are those that fail for a field that somebody forgets', () => {
    const rows = tableOf('| File | Change | If you forget it |').map(([file = '', , failing = '']) => ({
      file: /`(libs\/.*?)`/.exec(file)?.[1] ?? '',
      failing: testsIn(failing),
    }));
    expect(rows.filter(({ failing }) => failing.length > 0).length).toBeGreaterThan(2);
    for (const { file, failing } of rows)
      expect({ file, runs: namesOf(relatedTo([file])) }).toEqual({
        file,
        runs: expect.arrayContaining(failing) as string[],
      });
  });

  it.each(RELATED_TESTS.map(({ what, ...row }) => [what, row] as const))(
    'are there for changes of %s, and so are such files',
    (_, { changed, tests }) => {
      expect(tests.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
      expect(sources.some((path) => changed.test(path))).toBe(true);
    },
  );

  it('are none for a change of a service', () => {
    expect(relatedTo(['libs/people/contacts/contacts.service.ts', 'README.md'])).toEqual([]);
  });
});
