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
class AnswerNotFound implements NestMiddleware {
  use(): never {
    throw new NotFound('Resource');
  }
}

/**
 * `POST …/users` exists in Variant B only and answers 404 elsewhere (decisions.md section 9). Here its path is
 * known with GET, so that without this it would answer 405.
 */
@Module({})
export class NoMigratedUsersModuleA implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer
      .apply(AnswerNotFound)
      .forRoutes({ path: 'organisations/:organisationId/users', method: RequestMethod.POST });
  }
}
