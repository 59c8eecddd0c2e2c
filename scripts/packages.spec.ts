import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..');
const manifest = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8')) as Manifest;

interface Manifest {
  readonly dependencies?: Record<string, string>;
  readonly devDependencies: Record<string, string>;
  readonly scripts?: Record<string, string>;
}

/** Named otherwise: `testRunner: jest` of Stryker. */
const UNDER_ANOTHER_NAME = ['@stryker-mutator/jest-runner'];
/** Packages of types serve the compiler and are named by nobody. */
const tools = Object.keys(manifest('tools/packages/package.json').devDependencies).filter(
  (name) => !name.startsWith('@types/') && !UNDER_ANOTHER_NAME.includes(name),
);

/** What may use a package: the commands of `npm run`, and sources. A list of dependencies and prose do not count. */
const users = ['apps', 'config', 'libs', 'scripts', 'test', 'tools', '.']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: folder !== '.', withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(c|m)?[jt]s$|rc$|\.json$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name)),
  )
  .filter((path) => !/node_modules|package(-lock)?\.json$/.test(path))
  .map((path) => readFileSync(path, 'utf8'))
  .concat(Object.values(manifest('package.json').scripts ?? {}));

describe('the packages that npm start leaves out', () => {
  it.each(tools)('are used: %s', (name) => {
    expect(users.some((text) => text.includes(name))).toBe(true);
  });

  it('are none that the service needs', () => {
    const { dependencies = {} } = manifest('package.json');
    expect(tools.filter((name) => name in dependencies)).toEqual([]);
  });
});
