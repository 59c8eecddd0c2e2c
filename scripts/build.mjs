// npm run build: transpiles the apps and libraries with swc to where `nest build` puts them, in a few
// hundredths of its time. Types are the business of `npm test`. test/tools/builds.e2e-spec.ts compares what
// both builds hand to Nest.
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readWords } from './words.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
export const builtFolders = ['apps', 'libs', 'config', 'docs'];

/** The options of tsconfig.json that change what the code does. */
const options = {
  sourceMaps: true,
  module: { type: 'commonjs' },
  jsc: {
    target: 'es2023',
    baseUrl: root,
    paths: { '@app/config/*': ['./config/*'], '@app/*': ['./libs/*'] },
    keepClassNames: true,
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: true },
  },
};

/**
 * Writes the apps and libraries as JavaScript with source maps, and nothing of files that no longer exist.
 */
export async function build(folder = join(root, 'dist')) {
  for (const name of [...builtFolders, '.tsbuildinfo', '.compile-cache']) {
    await rm(join(folder, name), { recursive: true, force: true });
  }
  const files = [];
  for (const name of builtFolders) files.push(...(await filesIn(join(root, name))));
  await Promise.all(files.map((file) => buildFile(file, folder)));
}

/** Writes what `build` makes of one file; removes it where the file is no longer there. */
export async function buildFile(file, folder = join(root, 'dist')) {
  const target = join(folder, relative(root, file));
  const script = target.replace(/\.ts$/, '.js');
  if (!existsSync(file)) {
    for (const path of [script, `${script}.map`]) await rm(path, { force: true });
    return;
  }
  await mkdir(dirname(target), { recursive: true });
  if (!file.endsWith('.ts')) {
    await copyFile(file, target);
    return;
  }
  // Here alone: the command line and npm start import this file before anything is installed.
  const { transformFile } = await import('@swc/core');
  const { code, map } = await transformFile(file, {
    ...options,
    sourceFileName: relative(dirname(script), file),
  });
  await writeFile(script, `${code}//# sourceMappingURL=${basename(script)}.map\n`);
  await writeFile(`${script}.map`, map);
}

/** Sources and the files that they read beside them. */
async function filesIn(path) {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((file) => isBuilt(relative(root, file)));
}

/**
 * Whether `build` makes something of a file, by its path below the root. Of `docs` it takes the descriptions
 * alone, which the service serves.
 */
export const isBuilt = (path) =>
  /^docs[\\/]/.test(path)
    ? /^docs[\\/]openapi-\w+\.json$/.test(path)
    : /(?<!\.spec|\.d)\.ts$|\.(?:cjs|json|sql)$/.test(path);

// node scripts/build.mjs [FOLDER]
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { positionals } = readWords('node scripts/build.mjs [FOLDER], by default dist', { words: 1 });
  await build(positionals[0]);
}
