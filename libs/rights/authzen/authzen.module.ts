import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { DeferredBodyError, notJson } from '@app/platform/dto/json-body';
import { BadRequest } from '@app/platform/errors/api-error';
import { ActionTable } from './action-table';
import { AuthzenController } from './authzen.controller';
import { AuthzenShapes } from './authzen.shapes';
import { AuthzenConfigurationController } from './authzen-configuration.controller';
import { DecisionsService } from './decisions.service';

/** Request ids that Node can return in a header. */
const VISIBLE = /^[\x20-\x7e]+$/;

const JSON_TYPE = /^\s*application\/json\s*(;|$)/i;

/**
 * Applies rules of the standard to all its routes: it returns the client's request id, and answers 400 to a
 * body of another type. Log, audit log and error bodies keep the id of this service.
 */
function asStandardAsks(request: Request, response: Response, next: NextFunction): void {
  const id = request.headers['x-request-id'];
  if (typeof id === 'string' && VISIBLE.test(id)) response.setHeader('X-Request-Id', id);
  const { body } = request as { body: unknown };
  const answer = body instanceof DeferredBodyError ? body.answer : undefined;
  const isOther = body !== undefined && !JSON_TYPE.test(request.headers['content-type'] ?? '');
  const refusal = isOther ? notJson() : answer;
  if (refusal?.status === 415) {
    request.body = new DeferredBodyError(new BadRequest(refusal.message, refusal.reason));
  }
  next();
}

/**
 * The OpenID AuthZEN Authorization API 1.0: other services ask who may do what. Nothing else depends on it.
 */
@Module({
  controllers: [AuthzenController, AuthzenConfigurationController],
  providers: [ActionTable, DecisionsService, AuthzenShapes],
})
export class AuthzenModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(asStandardAsks).forRoutes(AuthzenController, AuthzenConfigurationController);
  }
}
