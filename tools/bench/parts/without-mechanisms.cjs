/**
 * Loaded before the service (`node -r`), this leaves out `Idempotency-Key` and entity tags: what a build without them would run.
 * The exports of the compiled files are replaced before anybody uses them. What stays are fields that nobody fills.
 */
require('reflect-metadata');
const { join } = require('node:path');
const { APP_GUARD } = require('@nestjs/core');

const built = (path) => require(join(__dirname, '../../../dist/libs', path));

built('security/access/access.decorators.js').Versioned = () => () => undefined;

const middleware = built('edge/idempotency/idempotency.middleware.js');
middleware.noteBody = () => undefined;
middleware.keepingResponses = () => (_request, _response, next) => next();

const { IdempotencyModule } = built('edge/idempotency/idempotency.module.js');
const providers = Reflect.getMetadata('providers', IdempotencyModule);
Reflect.defineMetadata(
  'providers',
  providers.filter(({ provide }) => provide !== APP_GUARD),
  IdempotencyModule,
);
