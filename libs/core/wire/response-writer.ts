import { Injectable, StreamableFile, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { ModuleRef, Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
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

type Handler = ReturnType<ExecutionContext['getHandler']>;

const HANDLER = Symbol('handler');

type Answering = Response & { [HANDLER]?: Handler };

/** Notes which handler a request has come to: who writes the response is told what it gave, not which one it was. */
@Injectable()
export class HandlerGuard implements CanActivate {
  canActivate(context: ExecutionContext): true {
    context.switchToHttp().getResponse<Answering>()[HANDLER] = context.getHandler();
    return true;
  }
}

/**
 * Writes what a handler gives in the shape that its `@RespondsWith` declares, in the running variant. The adapter asks it
 * where Nest hands it the value. As an interceptor it had every request pass through five observables and an async
 * resource: 520 instead of 373 microseconds of processor time for `GET /whoami` (medians of one run on a busy machine).
 */
@Injectable()
export class ResponseWriter {
  private readonly forms = new WeakMap<object, ResponseForm>();

  constructor(
    private readonly moduleRef: ModuleRef,
    private readonly reflector: Reflector,
    private readonly inFlight: ResponsesInFlight,
    private readonly addresses: ClientAddresses,
    private readonly longResponses: LongResponses,
  ) {}

  /**
   * What is to be sent for a value: JSON, a file, or the value itself where its handler declares neither. A promise of it
   * where the response has to wait for its turn.
   */
  contentOf(response: Answering, value: unknown): unknown {
    const handler = response[HANDLER];
    if (handler === undefined) return value;
    const { shape, isFile, isKept } = this.formOf(handler);
    const request = response.req as RequestWithAccess;
    if (shape !== undefined) return this.written(shape, value, request, response, isKept);
    return isFile ? this.file(value as FileToSend, request, response) : value;
  }

  private formOf(handler: Handler): ResponseForm {
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
