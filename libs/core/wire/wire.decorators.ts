import {
  applyDecorators,
  Body,
  createParamDecorator,
  HttpCode,
  Inject,
  Injectable,
  mixin,
  SetMetadata,
  type ExecutionContext,
  type PipeTransform,
  type Type,
} from '@nestjs/common';
import type { Request } from 'express';
import { ACCESS_PROPERTY, type RequestWithAccess } from '../access/access.decorators';
import { asksForCsv } from '../csv/csv-request';
import { ListConventions } from './list-conventions';
import { readListRequest } from './list-request';
import type { ListRequest } from '../paging/page';
import { Settings } from '../settings/settings';
import { UnreadBody } from './json-body';
import { readBody } from './read-body';
import type { ListShape, ResponseShape, RequestShape } from './shapes';

export const RESPONSE_METADATA = 'wire:response';
export const BODY_METADATA = 'wire:body';
export const LIST_METADATA = 'wire:list';

/** The abstract class of a domain's shapes: its injection token, bound to the running variant at start. */
export type ShapesToken<Shapes> = abstract new (...args: never[]) => Shapes;

/** Points at one shape of a domain, to be looked up in the running variant. */
export interface ShapeReference {
  readonly shapes: ShapesToken<object>;
  readonly name: string;
  readonly status?: number;
  /** A body that may be left out. */
  readonly optional?: boolean;
}

type NamesOf<Shapes, Kind> = {
  [Name in keyof Shapes]: Shapes[Name] extends Kind ? Name : never;
}[keyof Shapes] &
  string;

type ResponseValue<Shape> = Shape extends ResponseShape<infer Value> ? Value : never;

type Handler<Value> = (...args: never[]) => Promise<Value> | Value;

/**
 * The response of a route: its status and the shape that the handler's value is written with. The compiler
 * checks that the handler gives what the shape takes, in every variant, since all implement the same class.
 */
export function RespondsWith<Shapes extends object, Name extends NamesOf<Shapes, ResponseShape<never>>>(
  status: number,
  shapes: ShapesToken<Shapes>,
  name: Name,
) {
  return <H extends Handler<ResponseValue<Shapes[Name]>>>(
    prototype: object,
    handlerName: string,
    descriptor: TypedPropertyDescriptor<H>,
  ): void => {
    const reference: ShapeReference = { shapes, name, status };
    applyDecorators(HttpCode(status), SetMetadata(RESPONSE_METADATA, reference))(
      prototype,
      handlerName,
      descriptor,
    );
  };
}

/** A response without a body: 204. */
export const NoContent = () => HttpCode(204);

interface InputOptions {
  /** An absent or empty body is fine and gives undefined. */
  readonly optional?: boolean;
  /** A switch without which the body is not looked at, whatever it is: gives undefined. */
  readonly onlyWith?: 'stepUp';
}

/** The request body, read by a shape of the running variant into the domain's input. */
export function RequestBody<Shapes extends object>(
  shapes: ShapesToken<Shapes>,
  name: NamesOf<Shapes, RequestShape<unknown>>,
  options: InputOptions = {},
): ParameterDecorator {
  const reference: ShapeReference = { shapes, name, optional: options.optional ?? false };
  return (prototype, handlerName, index) => {
    remember(BODY_METADATA, reference, prototype, handlerName);
    Body(bodyPipe(shapes, name, options))(prototype, handlerName, index);
  };
}

/** The list conventions and searches of a list shape of the running variant, read from the query string. */
export function ListQuery<Shapes extends object>(
  shapes: ShapesToken<Shapes>,
  name: NamesOf<Shapes, { readonly orderBy: Readonly<Record<string, string>> }>,
): ParameterDecorator {
  const reference: ShapeReference = { shapes, name };
  return (prototype, handlerName, index) => {
    remember(LIST_METADATA, reference, prototype, handlerName);
    CurrentRequest(listPipe(shapes, name))(prototype, handlerName, index);
  };
}

const CurrentRequest = createParamDecorator((_: unknown, context: ExecutionContext) =>
  context.switchToHttp().getRequest<Request>(),
);

function remember(
  key: string,
  value: unknown,
  prototype: object,
  handlerName: string | symbol | undefined,
): void {
  const handler = (prototype as Record<string | symbol, object>)[handlerName ?? ''];
  if (handler !== undefined) Reflect.defineMetadata(key, value, handler);
}

function bodyPipe<Shapes extends object>(
  shapes: ShapesToken<Shapes>,
  name: keyof Shapes,
  { optional = false, onlyWith }: InputOptions,
): Type<PipeTransform> {
  @Injectable()
  class BodyPipe implements PipeTransform {
    constructor(
      @Inject(shapes) private readonly running: Shapes,
      private readonly settings: Settings,
    ) {}

    transform(body: unknown): unknown {
      if (onlyWith !== undefined && !this.settings[onlyWith]) return undefined;
      if (body instanceof UnreadBody) throw body.answer;
      if (optional && isEmpty(body)) return undefined;
      return readBody(this.running[name] as RequestShape<unknown>, body, this.settings.strictBody);
    }
  }
  return mixin(BodyPipe);
}

const isEmpty = (body: unknown): boolean =>
  body === undefined ||
  (typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length === 0);

function listPipe<Shapes extends object>(
  shapes: ShapesToken<Shapes>,
  name: keyof Shapes,
): Type<PipeTransform> {
  @Injectable()
  class ListPipe implements PipeTransform {
    constructor(
      @Inject(shapes) private readonly running: Shapes,
      private readonly conventions: ListConventions,
      private readonly settings: Settings,
    ) {}

    transform(request: RequestWithAccess): ListRequest<string, string> {
      const list = readListRequest(this.running[name] as ListShape<never, string, string>, request.query, {
        tag: this.conventions.tag,
        limitMax: this.settings.listLimitMax,
        streamed: asksForCsv(request),
      });
      const reader = request[ACCESS_PROPERTY]?.caller.userId;
      return { ...list, ...(reader !== undefined && { reader }) };
    }
  }
  return mixin(ListPipe);
}
