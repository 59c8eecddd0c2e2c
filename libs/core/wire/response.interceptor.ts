import {
  Injectable,
  StreamableFile,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { ModuleRef, Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { map, type Observable } from 'rxjs';
import { asksForCsv } from '../csv/csv-request';
import { csvResponse, isPage } from './csv-response';
import { ACCESS_PROPERTY, type RequestWithAccess } from '../access/access.decorators';
import { resolveShape } from './resolve-shape';
import { ResponsesInFlight } from './responses-in-flight';
import type { ResponseShape } from './shapes';
import { RESPONSE_METADATA, type ShapeReference } from './wire.decorators';

/** Writes what a handler gives in the shape that its `@RespondsWith` declares, in the running variant. */
@Injectable()
export class ResponseInterceptor implements NestInterceptor<unknown, unknown> {
  /** By handler; undefined for one without a shape. */
  private readonly shapes = new WeakMap<object, ResponseShape<unknown> | undefined>();

  constructor(
    private readonly moduleRef: ModuleRef,
    private readonly reflector: Reflector,
    private readonly inFlight: ResponsesInFlight,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const shape = this.shapeOf(context.getHandler());
    if (shape === undefined) return next.handle();
    const http = context.switchToHttp();
    const request = http.getRequest<RequestWithAccess>();
    const response = http.getResponse<Response>();
    return next.handle().pipe(map((value) => this.written(shape, value, request, response)));
  }

  private shapeOf(handler: ReturnType<ExecutionContext['getHandler']>): ResponseShape<unknown> | undefined {
    if (this.shapes.has(handler)) return this.shapes.get(handler);
    const reference = this.reflector.get<ShapeReference | undefined>(RESPONSE_METADATA, handler);
    const shape = reference && resolveShape<ResponseShape<unknown>>(this.moduleRef, reference);
    this.shapes.set(handler, shape);
    return shape;
  }

  /** JSON, or a stream of csv or of a long JSON response. Sets the `Link` header of a page that is not the last one. */
  private written(
    shape: ResponseShape<unknown>,
    value: unknown,
    request: RequestWithAccess,
    response: Response,
  ): string | StreamableFile {
    const body = asksForCsv(request) ? csvResponse(shape, value) : shape.toResponse(value);
    const content = body instanceof StreamableFile ? body : JSON.stringify(body);
    if (typeof content === 'string') {
      const caller = request[ACCESS_PROPERTY]?.caller.userId ?? 'none';
      this.inFlight.add(response, `user:${caller}`, content.length);
      response.setHeader('Content-Type', 'application/json; charset=utf-8');
      // Express answers 304 to `If-None-Match: *`, also where responses have no entity tags.
      delete request.headers['if-none-match'];
    }
    if (isPage(value) && value.nextOffset !== undefined) {
      response.setHeader('Link', nextLink(request, value.nextOffset));
    }
    return content;
  }
}

/** A relative reference: the request's Host header has no say in it. */
function nextLink(request: Request, offset: number): string {
  const { pathname, searchParams } = new URL(request.originalUrl.replace(/^\/+/, '/'), 'http://relative');
  searchParams.set('offset', String(offset));
  return `<${pathname}?${searchParams.toString()}>; rel="next"`;
}
