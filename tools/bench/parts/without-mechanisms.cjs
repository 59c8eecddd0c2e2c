/**
 * Loaded before the service (`node -r`), this disables `Idempotency-Key` and entity tags, for a
 * comparison with a build without them. It replaces exports of the compiled files before their first use.
 * Only unused fields remain.
 */
require('reflect-metadata');
const { join } = require('node:path');
const { APP_GUARD } = require('@nestjs/core');

const fileOf = (path) => join(__dirname, '../../../dist/libs', path);

/** The build writes exports that cannot be assigned. */
function replace(path, exports) {
  const all = require(fileOf(path));
  require.cache[fileOf(path)].exports = { ...all, ...exports };
}

const { PathRecords } = require(fileOf('security/access/access.decorators.js'));
const withoutTags = (records) =>
  Object.fromEntries(
    Object.entries(records).map(([parameter, record]) => [parameter, { ...record, tag: undefined }]),
  );
replace('security/access/access.decorators.js', {
  Versioned: () => () => undefined,
  PathRecords: (records) => PathRecords(withoutTags(records)),
});
replace('edge/idempotency/idempotency.middleware.js', {
  noteBody: () => undefined,
  idempotencyMiddleware: () => (_request, _response, next) => next(),
});

const { IdempotencyModule } = require(fileOf('edge/idempotency/idempotency.module.js'));
const providers = Reflect.getMetadata('providers', IdempotencyModule);
Reflect.defineMetadata(
  'providers',
  providers.filter(({ provide }) => provide !== APP_GUARD),
  IdempotencyModule,
);
