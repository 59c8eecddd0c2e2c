// Lets Node run TypeScript of this repository, in child processes of tests (node -r
// scripts/typescript-register.cjs …) and where jest runs the end-to-end tests. What it has
// compiled is kept under node_modules: a third of the start of a child would be compiling.
const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { basename, dirname, join, relative } = require('node:path');
const { version } = require('@swc/core/package.json');

const root = dirname(__dirname);
const cache = join(root, 'node_modules/.cache/typescript-register');
const options = {
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    keepClassNames: true,
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: true },
  },
  module: { type: 'commonjs' },
  sourceMaps: true,
};
const compiler = `${version} ${JSON.stringify(options)}`;
const resolveFilename = Module._resolveFilename;

Module._resolveFilename = function (request, ...rest) {
  // The paths of tsconfig.json.
  if (request.startsWith('@app/')) {
    const path = request.slice('@app/'.length);
    const folder = path.startsWith('config/') ? root : join(root, 'libs');
    return resolveFilename.call(this, join(folder, path), ...rest);
  }
  // `import()` of an own file names what the compiler makes of it.
  const isOwn = request.startsWith('.') && rest[0]?.filename?.endsWith('.ts');
  return resolveFilename.call(this, isOwn ? request.replace(/\.js$/, '') : request, ...rest);
};

Module._extensions['.ts'] = function (module, filename) {
  module._compile(compiled(readFileSync(filename, 'utf8'), filename), filename);
};

/** The source map of each file that was loaded: jest shows traces by it. */
module.exports = { sourceMaps: new Map() };

/**
 * Two files of the cache for each source: the code, with a comment that tells what it was
 * made of, and its source map.
 */
function compiled(source, filename) {
  const kept = join(cache, relative(root, filename).replaceAll(/[\\/]/g, '!'));
  const origin = `\n// ${createHash('sha256').update(compiler).update(source).digest('hex')}\n`;
  module.exports.sourceMaps.set(filename, `${kept}.map`);
  const found = readIfThere(kept);
  if (found?.endsWith(origin)) return found;
  // Loaded where it is needed: that takes a tenth of a second.
  const { code, map } = require('@swc/core').transformSync(source, {
    filename,
    sourceFileName: basename(filename),
    ...options,
  });
  keep(`${kept}.map`, map);
  keep(kept, code + origin);
  return code + origin;
}

function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * Renamed into its place: others read it meanwhile. Without a place to write to, each
 * process compiles for itself.
 */
function keep(path, content) {
  const written = `${path}.${process.pid}`;
  try {
    mkdirSync(cache, { recursive: true });
    writeFileSync(written, content);
    renameSync(written, path);
  } catch {
    // Read-only.
  }
}
