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
import { ClientAddresses } from '../access/client-addresses';
import { asksForCsv } from '../csv/csv-request';
import { subscriberOf } from '../network/client-address';
import { csvResponse, isPage } from './csv-response';
import { jsonResponse } from './json-response';
import { LongResponses, readsOn } from './long-responses';
import { ACCESS_PROPERTY, type RequestWithAccess } from '../access/access.decorators';
import { bytesInMemory, FILE_RESPONSE_METADATA, fileResponse, type FileToSend } from './file-response';
import { resolveShape } from './resolve-shape';
import { REVALIDATED_METADATA, setValidator } from './revalidated';
import { ResponsesInFlight } from './responses-in-flight';
import type { ResponseShape } from './shapes';
import { RESPONSE_METADATA, type ShapeReference } from './wire.decorators';

/** What a handler declares of its responses. */
interface ResponseForm {
  /** Undefined where there is no body, or a file. */
  readonly shape: ResponseShape<unknown> | undefined;
  readonly isFile: boolean;
  /** Whether clients keep it, see `Revalidated`. */
  readonly isKept: boolean;
}

/** Writes what a handler gives in the shape that its `@RespondsWith` declares, in the running variant. */
@Injectable()
export class ResponseInterceptor implements NestInterceptor<unknown, unknown> {
  private readonly forms = new WeakMap<object, ResponseForm>();

  constructor(
    private readonly moduleRef: ModuleRef,
    private readonly reflector: Reflector,
    private readonly inFlight: ResponsesInFlight,
    private readonly addresses: ClientAddresses,
    private readonly longResponses: LongResponses,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const { shape, isFile, isKept } = this.formOf(context.getHandler());
    if (shape === undefined && !isFile) return next.handle();
    const http = context.switchToHttp();
    const request = http.getRequest<RequestWithAccess>();
    const response = http.getResponse<Response>();
    return next.handle().pipe(
      // A promise among the values is waited for by whoever takes the last of them.
      map((value) =>
        shape === undefined
          ? this.file(value as FileToSend, request, response)
          : this.written(shape, value, request, response, isKept),
      ),
    );
  }

  private formOf(handler: ReturnType<ExecutionContext['getHandler']>): ResponseForm {
    const known = this.forms.get(handler);
    if (known !== undefined) return known;
    const declared = <Value>(key: string) => this.reflector.get<Value | undefined>(key, handler);
    const reference = declared<ShapeReference>(RESPONSE_METADATA);
    const form: ResponseForm = {
      shape: reference && resolveShape<ResponseShape<unknown>>(this.moduleRef, reference),
      isFile: declared<string>(FILE_RESPONSE_METADATA) !== undefined,
      isKept: declared<object>(REVALIDATED_METADATA) !== undefined,
    };
    this.forms.set(handler, form);
    return form;
  }

  /** Counts for the caller, or for the subscriber whose address a caller without a credential has. */
  private file(file: FileToSend, request: RequestWithAccess, response: Response): StreamableFile {
    const userId = request[ACCESS_PROPERTY]?.caller.userId;
    const caller =
      userId === undefined ? `address:${subscriberOf(this.addresses.of(request))}` : `user:${userId}`;
    this.inFlight.add(response, caller, bytesInMemory(file));
    return fileResponse(file, response);
  }

  /** JSON, or a stream of csv or of a long JSON response. Sets the `Link` header of a page that is not the last one. */
  private written(
    shape: ResponseShape<unknown>,
    value: unknown,
    request: RequestWithAccess,
    response: Response,
    isKept: boolean,
  ): string | StreamableFile | Promise<StreamableFile> {
    const caller = `user:${request[ACCESS_PROPERTY]?.caller.userId ?? 'none'}`;
    const body = asksForCsv(request) ? csvResponse(shape, value) : shape.toResponse(value);
    const content = body instanceof StreamableFile ? body : jsonResponse(body);
    if (typeof content === 'string') {
      this.inFlight.add(response, caller, content.length);
      response.setHeader('Content-Type', 'application/json; charset=utf-8');
      // Express answers 304 to `If-None-Match: *`, also where responses have no entity tags.
      if (isKept) setValidator(response, content);
      else delete request.headers['if-none-match'];
    }
    if (isPage(value) && value.nextOffset !== undefined) {
      response.setHeader('Link', nextLink(request, value.nextOffset));
    }
    if (typeof content === 'string' || !readsOn(content)) return content;
    return this.longResponses.enter(response, caller).then(() => content);
  }
}

/** A relative reference: the request's Host header has no say in it. */
function nextLink(request: Request, offset: number): string {
  const { pathname, searchParams } = new URL(request.originalUrl.replace(/^\/+/, '/'), 'http://relative');
  searchParams.set('offset', String(offset));
  return `<${pathname}?${searchParams.toString()}>; rel="next"`;
}
