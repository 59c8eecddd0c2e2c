import {
  Injectable,
  Module,
  RequestMethod,
  type MiddlewareConsumer,
  type NestMiddleware,
  type NestModule,
} from '@nestjs/common';
import { NotFound } from '@app/core/errors/api-error';

@Injectable()
class RespondNotFound implements NestMiddleware {
  use(): never {
    throw new NotFound('Resource');
  }
}

/**
 * `POST …/users` exists in Variant B only and gives 404 elsewhere (decisions.md section 9). Here its path is
 * known with GET, so that without this it would give 405.
 */
@Module({})
export class NoMigratedUsersModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer
      .apply(RespondNotFound)
      .forRoutes({ path: 'organisations/:organisationId/users', method: RequestMethod.POST });
  }
}
