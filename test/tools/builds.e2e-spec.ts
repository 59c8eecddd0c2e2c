import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';

const root = join(__dirname, '../..');
const run = promisify(execFile);

describe('npm run build', () => {
  // Inside the project: a build finds its packages above itself.
  const folder = mkdtempSync(join(root, 'node_modules/.cache-builds-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const constructorsOf = async (build: string): Promise<string[]> => {
    const script = join(root, 'test/support/service/constructor-types.cjs');
    const { stdout } = await run(process.execPath, [script, build], { cwd: folder, maxBuffer: 1e8 });
    return stdout.split('\n');
  };

  it('transpiles, and hands Nest the same constructors as nest build, which compiles', async () => {
    const transpiled = join(folder, 'transpiled');
    const compiled = join(folder, 'compiled');
    await run(process.execPath, [join(root, 'scripts/build.mjs'), transpiled]);
    // `nest build` writes to dist, which a service may be running from: the same
    // settings with another folder.
    const config = join(folder, 'tsconfig.json');
    const settings = {
      extends: join(root, 'tsconfig.build.json'),
      compilerOptions: { outDir: compiled, rootDir: root, incremental: false, tsBuildInfoFile: null },
      include: ['apps', 'libs'].map((name) => join(root, name, '**/*.ts')),
      exclude: [join(root, '**/*.spec.ts')],
    };
    writeFileSync(config, JSON.stringify(settings));
    const nest = join(root, 'node_modules/@nestjs/cli/bin/nest.js');
    await run(process.execPath, [nest, 'build', '--path', relative(root, config)], { cwd: root });
    const expected = await constructorsOf(compiled);
    expect(expected.length).toBeGreaterThan(100);
    expect(await constructorsOf(transpiled)).toEqual(expected);
    // Those that `/docs` serves.
    const descriptions = readdirSync(join(root, 'docs')).filter((name) => /^openapi-/.test(name));
    for (const build of [transpiled, compiled])
      expect(readdirSync(join(build, 'docs'))).toEqual(descriptions);
  });
});

describe('npm run build in the Dockerfile', () => {
  const folder = mkdtempSync(join(root, 'node_modules/.cache-image-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const dist = (path: string): string => join(folder, 'dist', path);

  beforeAll(async () => {
    const allowed = readFileSync(join(root, '.dockerignore'), 'utf8').match(/(?<=^!).+/gm) ?? [];
    expect(allowed.length).toBeGreaterThan(5);
    for (const path of allowed.flatMap(filesOf))
      cpSync(join(root, path), join(folder, path), { recursive: true });
    await run('npm', ['run', 'build'], { cwd: folder });
  });

  it('needs no file that .dockerignore keeps away', () => {
    for (const name of ['api', 'worker', 'cli']) expect(existsSync(dist(`apps/${name}/main.js`))).toBe(true);
    expect(readdirSync(dist('docs'))).toEqual(['openapi-a.json', 'openapi-b.json']);
  });

  it('lists in sbom.cdx.json every package that the image holds, and no other', () => {
    const { metadata, components } = JSON.parse(readFileSync(dist('sbom.cdx.json'), 'utf8')) as {
      metadata: { component: { name: string; version: string } };
      components: { name: string; version: string }[];
    };
    const { version } = manifestOf(root);
    expect(metadata.component).toMatchObject({ name: 'account-api', version });
    const listed = components.map((component) => `${component.name}@${component.version}`);
    expect(listed.sort()).toEqual([...shippedPackages()].sort());
  });
});

/** The paths that a line of `.dockerignore` means: one path, or the files of one folder by a `*`. */
function filesOf(line: string): string[] {
  if (!line.includes('*')) return [line];
  const [beginning = '', end = ''] = line.split('*');
  const folder = dirname(beginning);
  return readdirSync(join(root, folder))
    .map((name) => join(folder, name))
    .filter((path) => path.startsWith(beginning) && path.endsWith(end));
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}
const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

/** The packages that the service reaches through `dependencies`, as Node finds them. */
function shippedPackages(): Set<string> {
  const packages = new Set<string>();
  const seen = new Set<string>();
  const visit = (folder: string): void => {
    if (seen.has(folder)) return;
    seen.add(folder);
    const { name, version, dependencies = {} } = manifestOf(folder);
    if (folder !== root) packages.add(`${name}@${version}`);
    for (const dependency of Object.keys(dependencies)) visit(folderOf(dependency, folder));
  };
  visit(root);
  return packages;
}

function folderOf(dependency: string, from: string): string {
  const places = createRequire(join(from, 'package.json')).resolve.paths(dependency) ?? [];
  const found = places
    .map((place) => join(place, dependency))
    .find((path) => existsSync(join(path, 'package.json')));
  if (found === undefined) throw new Error(`${from} needs ${dependency}`);
  return found;
}

describe('buildWhenStale of npm start', () => {
  const folder = mkdtempSync(join(root, 'node_modules/.cache-start-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('builds without loading the compiler into the process of the service', async () => {
    const scripts = ['build', 'node-version', 'prepare', 'run', 'words'].map((name) => `scripts/${name}.mjs`);
    for (const path of [...scripts, 'libs/embedded-postgres/file-lock.cjs', 'package-lock.json'])
      cpSync(join(root, path), join(folder, path));
    for (const path of ['apps/api/main.ts', 'config/env.ts']) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), 'export const built: boolean = true;\n');
    }
    mkdirSync(join(folder, 'docs'));
    for (const name of ['openapi-a.json', 'limits.md', 'other.json'])
      writeFileSync(join(folder, 'docs', name), '{}');
    const program = `
      const { buildWhenStale } = await import('./scripts/prepare.mjs');
      await buildWhenStale();
      console.log(JSON.stringify(process.report.getReport().sharedObjects));`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: folder,
    });
    expect(existsSync(join(folder, 'dist/apps/api/main.js'))).toBe(true);
    expect(readdirSync(join(folder, 'dist/docs'))).toEqual(['openapi-a.json']);
    const [told, loaded = '[]'] = stdout.trim().split('\n');
    expect(told).toBe('Building ...');
    expect(JSON.parse(loaded)).not.toContainEqual(expect.stringContaining('swc'));
  });
});
