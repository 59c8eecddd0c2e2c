import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';

const ROOT = join(__dirname, '../..');

/** Layers of docs/architecture.md, the lowest first, each with its folders. */
function drawnLayers(): string[][] {
  const page = textOf('docs/architecture.md');
  const drawing = /## Layers[^]*?```\n([^]*?)```/.exec(page)?.[1] ?? '';
  return drawing
    .trim()
    .split('\n')
    .map((line) => line.slice(12).trim().split(/\s+/))
    .reverse();
}

function sourcesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sourcesBelow(path);
    return /\.(ts|cjs)$/.test(path) && !/\.spec\.ts$|\.d\.[a-z]+$/.test(path) ? [path] : [];
  });
}

const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** `libs/people/users/…` → `people`, `apps/api/…` → `api`, `config/env.ts` → `config`. */
const folderOf = (path: string): string => {
  const [top = '', folder = ''] = path.split(sep);
  return top === 'config' ? top : folder;
};

function importsOf(file: string): string[] {
  return [
    ...textOf(file).matchAll(
      /(?:from|import|require|load|createRequire\(__filename\))\s*\(?\s*'((?:@app\/|\.)[^']+)'/g,
    ),
  ].map(([, target = '']) =>
    target.startsWith('@app/')
      ? normalize(target.slice(5).startsWith('config/') ? target.slice(5) : `libs/${target.slice(5)}`)
      : normalize(join(dirname(file), target)),
  );
}

describe('docs/architecture.md', () => {
  const layers = drawnLayers();
  const layerOf = new Map(
    layers.flatMap((folders, layer) => folders.map((folder) => [folder, layer] as const)),
  );

  it('draws every folder once', () => {
    const present = ['config', ...readdirSync(join(ROOT, 'libs')), ...readdirSync(join(ROOT, 'apps'))];
    expect(layers.flat().sort()).toEqual(present.sort());
  });

  it('draws the layers as the imports have them: from above to below only', () => {
    const climbing = ['libs', 'config', 'apps'].flatMap(sourcesBelow).flatMap((file) =>
      importsOf(file)
        .filter((target) => folderOf(target) !== folderOf(file))
        .filter((target) => (layerOf.get(folderOf(target)) ?? 0) >= (layerOf.get(folderOf(file)) ?? 0))
        .map((target) => `${file} -> ${target}`),
    );
    expect(climbing).toEqual([]);
  });
});

/** Code without comments and texts, so that what is left are names. */
const namesIn = (file: string): string =>
  textOf(file).replaceAll(/\/\*[^]*?\*\/|\/\/.*|'[^'\n]*'|`[^`]*`/g, '');

describe('the lowest layers', () => {
  it('name nobody who has an account: folders above know who acts', () => {
    const naming = ['libs/formats', 'libs/platform'].flatMap(sourcesBelow).flatMap((file) => {
      const words = namesIn(file).match(/\w*(organisation|account|credential|login|caller|userId)\w*/gi);
      return (words ?? []).map((word) => `${file}: ${word}`);
    });
    expect(naming).toEqual([]);
  });

  it('let folders above add to two of their types: the words of errors, and what a route declares', () => {
    const added = sourcesBelow('libs').flatMap((file) =>
      [...textOf(file).matchAll(/^declare module '([^']+)'/gm)].map(([, module = '']) => module),
    );
    expect([...new Set(added)].sort()).toEqual([
      '@app/platform/dto/route-declaration',
      '@app/platform/errors/reasons',
    ]);
  });
});

/** Names that two files export on purpose. */
const EXPORTED_TWICE: Readonly<Record<string, string>> = {
  ListQuery:
    'the decorator of a parameter (platform/dto), and the query that its value becomes (platform/lists)',
};

it('exports no name from two files of libs, but from the twins of the variants', () => {
  const placesOf = new Map<string, Set<string>>();
  for (const file of sourcesBelow('libs'))
    for (const name of exportsOf(file)) {
      const places = placesOf.get(name) ?? new Set();
      placesOf.set(name, places.add(file.replace(/\/variant-[ab]\//, '/variant/')));
    }
  const twice = [...placesOf].filter(([, places]) => places.size > 1).map(([name]) => name);
  expect(twice).toEqual(Object.keys(EXPORTED_TWICE));
});

it('has each Nest module in a *.module.ts and each controller in a *.controller.ts', () => {
  const misplaced = (decorator: RegExp, ending: string): string[] =>
    ['libs', 'apps']
      .flatMap(sourcesBelow)
      .filter((file) => !file.endsWith(ending) && decorator.test(textOf(file)));
  expect(misplaced(/^\s*@Module\(/m, '.module.ts')).toEqual([]);
  expect(misplaced(/^\s*@Controller\(/m, '.controller.ts')).toEqual([]);
});

/** What every domain stands on. */
const GROUND = ['libs/platform', 'libs/lifecycle', 'libs/security', 'libs/mail'];
/**
 * Words of private or undocumented behaviour of Node, Linux, PostgreSQL or a library, in code
 * or in the comment about it.
 */
const PRIVATE_WORDS = new RegExp(
  [
    'setPrototypeOf',
    '\\.parser\\b',
    'override push\\(',
    '@nestjs/common/constants',
    'pathRegex',
    'design:type',
    'stream\\.cork',
    '\\b_result\\b',
    '_ending',
    '\\b_connections\\b',
    '\\breadyForQuery\\b',
    '_private_',
    'const TEXTS = ',
    '\\b_strategy\\(',
    'onEnd\\(',
    'helmet\\(',
    'setPriority\\(',
    '/proc/self/cwd',
    'postmaster\\.pid',
  ].join('|'),
);

/** Names that a file exports by a declaration. */
const exportsOf = (file: string): string[] =>
  [
    ...textOf(file).matchAll(
      /^export (?:default |declare |abstract |async )*(?:class|function\*?|const|let|interface|type|enum) (\w+)/gm,
    ),
  ].map(([, name = '']) => name);

/** The files that `docs/architecture.md` lists as leaning on private behaviour. */
function listedPrivateFiles(): string[] {
  const section = /## Private behaviour[^]*?(?=\n## |$)/.exec(textOf('docs/architecture.md'))?.[0] ?? '';
  return [...section.matchAll(/^\| `([^`]+)` \|/gm)].map(([, file = '']) => file).sort();
}

/** Imports among the files of a folder, by file. A directory's own `.ts` is added to paths without one. */
function importsWithin(folders: readonly string[]): Map<string, string[]> {
  const files = folders.flatMap(sourcesBelow);
  const known = new Set(files);
  const resolve = (target: string): string => [target, `${target}.ts`].find((path) => known.has(path)) ?? '';
  return new Map(files.map((file) => [file, importsOf(file).map(resolve).filter(Boolean)]));
}

/** Pairs of folders, directly inside platform or security, that import each other. */
function twoWayFolders(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const folderAt = (file: string): string => dirname(file).split(sep).slice(0, 3).join('/');
  const arrows = new Set(
    [...imports].flatMap(([file, targets]) =>
      targets.map((target) => `${folderAt(file)} ${folderAt(target)}`),
    ),
  );
  return [...arrows].filter((arrow) => {
    const [from = '', to = ''] = arrow.split(' ');
    return from < to && arrows.has(`${to} ${from}`);
  });
}

/** Files that reach themselves by imports. */
function filesInCircles(imports: ReadonlyMap<string, readonly string[]>): string[] {
  return [...imports.keys()].filter((start) => {
    const seen = new Set<string>();
    const next = [...(imports.get(start) ?? [])];
    for (let file = next.pop(); file !== undefined; file = next.pop()) {
      if (file === start) return true;
      if (seen.has(file)) continue;
      seen.add(file);
      next.push(...(imports.get(file) ?? []));
    }
    return false;
  });
}

/** `libs/people/users/…` → `libs/people/users`; `libs/mail`, which has no domains, is its own. */
const domainOf = (file: string): string => dirname(file).split(sep).slice(0, 3).join('/');

it('lets only the domain of a table write it', () => {
  const files = sourcesBelow('libs').filter((file) => file.endsWith('.ts'));
  const owners = new Map<string, string>();
  for (const file of files.filter((path) => path.endsWith('.entity.ts')))
    for (const [, table = '', name = ''] of textOf(file).matchAll(/@Entity\('(\w+)'[^]*?export class (\w+)/g))
      owners.set(table, domainOf(file)).set(name, domainOf(file));
  expect(owners.size).toBeGreaterThan(40);
  const writes =
    /\b(?:DELETE FROM|INSERT INTO|UPDATE) (\w+)|(?:\.(?:update|insert|save|delete)|insertReturningId)\(\s*(?:manager,\s*)?(\w+)/g;
  const strangers = files.flatMap((file) =>
    [...textOf(file).matchAll(writes)]
      .map(([, table, name]) => table ?? name ?? '')
      .filter((written) => owners.has(written) && owners.get(written) !== domainOf(file))
      .map((written) => `${file} writes ${written} of ${owners.get(written)}`),
  );
  expect(strangers).toEqual([]);
});

describe('the ground', () => {
  const imports = importsWithin(GROUND);

  it('has no folders and no files that import each other in a circle', () => {
    expect(twoWayFolders(imports)).toEqual([]);
    expect(filesInCircles(imports)).toEqual([]);
  });

  it('knows every file that leans on private behaviour', () => {
    const listed = listedPrivateFiles();
    const leaning = ['libs', 'apps'].flatMap(sourcesBelow).filter((file) => PRIVATE_WORDS.test(textOf(file)));
    expect(leaning.filter((file) => !listed.includes(file))).toEqual([]);
    expect(listed.filter((file) => !leaning.includes(file))).toEqual([]);
  });
});
