import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

/** The `Authorization` header. Unlike Nest's `@Headers`, it puts no second description of it into the OpenAPI document. */
export const Authorization = createParamDecorator(
  (_: unknown, context: ExecutionContext) =>
    context.switchToHttp().getRequest<Request>().headers.authorization,
);
