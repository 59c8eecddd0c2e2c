import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { formBody } from '@app/platform/dto/form-body';
import { basicCredential } from './basic-credential';
import { ForwardController } from './forward.controller';
import { IntrospectionController } from './introspection.controller';
import { IntrospectionService } from './introspection.service';
import { IntrospectionShapes } from './introspection.shapes';

/** Answers other services of the company about credentials that they received. Nothing else depends on it. */
@Module({
  controllers: [IntrospectionController, ForwardController],
  providers: [IntrospectionService, IntrospectionShapes],
})
export class IntrospectionModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(formBody(), basicCredential).forRoutes(IntrospectionController);
  }
}
