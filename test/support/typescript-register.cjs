// Lets a child process of a test run TypeScript of this repository: node -r test/support/typescript-register.cjs …
const { readFileSync } = require('node:fs');
const Module = require('node:module');
const { join } = require('node:path');
const { transformSync } = require('@swc/core');

const libraries = join(__dirname, '../../libs');
const resolveFilename = Module._resolveFilename;

Module._resolveFilename = function (request, ...rest) {
  const path = request.startsWith('@app/') ? join(libraries, request.slice('@app/'.length)) : request;
  return resolveFilename.call(this, path, ...rest);
};

Module._extensions['.ts'] = function (module, filename) {
  const { code } = transformSync(readFileSync(filename, 'utf8'), {
    filename,
    jsc: {
      target: 'es2023',
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true },
    },
    module: { type: 'commonjs' },
    sourceMaps: 'inline',
  });
  module._compile(code, filename);
};
