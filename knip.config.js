/**
 * Dead code (npm run lint:dead): files, exports and packages that nobody uses. A first run takes tests
 * for users, so that every exported name has somebody who imports it. A second run, with --production,
 * knows the apps alone and finds what only a spec keeps alive; what a file exports for its spec and uses
 * itself is no finding there.
 */
const isProduction = process.argv.includes('--production');

module.exports = {
  // A type stands in the signature of something exported: whoever imports that may want its name. A DTO is
  // exported from the file that is named after it, also where only its reader beside it uses it.
  ignoreExportsUsedInFile: isProduction || { interface: true, type: true, class: true },
  entry: [
    'apps/*/main.ts!',
    // Found by their folder (migrations/all.ts).
    'libs/migrations/[0-9]*.ts!',
    'apps/cli/data-source.ts',
    'scripts/*.mjs',
    'scripts/typescript-register.cjs',
    'tools/docs/run.mjs',
    'tools/bench/*.mjs',
    'tools/bench/parts/*.mjs',
    // Named in NODE_OPTIONS of the services.
    'tools/faults/webhooks-to-loopback.cjs',
    'test/**/*.e2e-spec.ts',
    'test/support/service/jest-*.ts',
    'test/support/service/shared-modules-*.cjs',
    'test/support/service/quick-exit.cjs',
    'test/support/service/slowest-first.cjs',
    'test/support/service/times.ts',
    'test/support/faults/connection-flood.cjs',
    'test/support/service/constructor-types.cjs',
    // Required by their paths, through scripts/typescript-register.cjs.
    'tools/docs/access-document.ts',
    'tools/docs/limits-document.ts',
    'tools/qa/command.ts',
    'tools/qa/compare/command.ts',
    // Given to jest by scripts/qa-suites.mjs.
    'tools/qa/jest.config.js',
    'tools/qa/suites/*.qa-spec.ts',
  ],
  project: [
    '{apps,libs,config}/**/*.{ts,cjs}!',
    // The words for programs, and for rules of one variant: types and specs hold the code to them, printed
    // documents alone read them.
    '!libs/**/*reasons.ts!',
    '!libs/service/variants/rules.*.ts!',
    '!libs/**/*.examples.ts!',
    '{qa,test,tools}/**/*.{ts,cjs}',
    '{scripts,tools}/**/*.mjs',
  ],
  // Named in a path or a text: started as programs, compiled in a folder of its own, or
  // chosen by a manifest's group.
  ignoreDependencies: [
    '@hey-api/openapi-ts',
    '@kubernetes-models/gateway-api',
    '@kubernetes-models/prometheus-operator',
    '@nestjs/cli',
    '@redocly/cli',
    '@seriousme/openapi-schema-validator',
    'kubernetes-models',
    'openapi-typescript',
    'zod',
  ],
};
