/**
 * Loaded before the service (`node -r`), this disables `Idempotency-Key` and entity tags, for a comparison with a build without them.
 * It replaces exports of the compiled files before their first use. Only unused fields remain.
 */
require('reflect-metadata');
const { join } = require('node:path');
const { APP_GUARD } = require('@nestjs/core');

const built = (path) => require(join(__dirname, '../../../dist/libs', path));

built('security/access/access.decorators.js').Versioned = () => () => undefined;

const middleware = built('edge/idempotency/idempotency.middleware.js');
middleware.noteBody = () => undefined;
middleware.idempotencyMiddleware = () => (_request, _response, next) => next();

const { IdempotencyModule } = built('edge/idempotency/idempotency.module.js');
const providers = Reflect.getMetadata('providers', IdempotencyModule);
Reflect.defineMetadata(
  'providers',
  providers.filter(({ provide }) => provide !== APP_GUARD),
  IdempotencyModule,
);
