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
import { asksForCsv } from '../csv/csv-request';
import { readListRequest } from '../paging/list-request';
import type { ListRequest } from '../paging/page';
import { Settings } from '../settings/settings';
import { UnreadBody } from '../http/json-body';
import { readBody } from './read-body';
import type { ListShape, ReplyShape, RequestShape } from './shapes';

export const ANSWER_METADATA = 'wire:answer';
export const BODY_METADATA = 'wire:body';
export const LIST_METADATA = 'wire:list';

/** The abstract class of a domain's shapes: its injection token, bound to the running variant at start. */
export type ShapesToken<Shapes> = abstract new (...args: never[]) => Shapes;

/** Points at one shape of a domain, to be looked up in the running variant. */
export interface ShapeReference {
  readonly shapes: ShapesToken<object>;
  readonly name: string;
  readonly status?: number;
}

type NamesOf<Shapes, Kind> = {
  [Name in keyof Shapes]: Shapes[Name] extends Kind ? Name : never;
}[keyof Shapes] &
  string;

type ReplyValue<Shape> = Shape extends ReplyShape<infer Value> ? Value : never;

type Handler<Value> = (...args: never[]) => Promise<Value> | Value;

/**
 * The answer of a route: its status and the shape that the handler's value is written with. The compiler
 * checks that the handler gives what the shape takes, in every variant, since all implement the same class.
 */
export function Answers<Shapes extends object, Name extends NamesOf<Shapes, ReplyShape<never>>>(
  status: number,
  shapes: ShapesToken<Shapes>,
  name: Name,
) {
  return <H extends Handler<ReplyValue<Shapes[Name]>>>(
    prototype: object,
    handlerName: string,
    descriptor: TypedPropertyDescriptor<H>,
  ): void => {
    const reference: ShapeReference = { shapes, name, status };
    applyDecorators(HttpCode(status), SetMetadata(ANSWER_METADATA, reference))(
      prototype,
      handlerName,
      descriptor,
    );
  };
}

/** The answer of a route that has none: 204. */
export const AnswersNothing = () => HttpCode(204);

interface InputOptions {
  /** An absent or empty body is fine and gives undefined. */
  readonly optional?: boolean;
}

/** The request body, read by a shape of the running variant into the domain's input. */
export function Input<Shapes extends object>(
  shapes: ShapesToken<Shapes>,
  name: NamesOf<Shapes, RequestShape<unknown>>,
  { optional = false }: InputOptions = {},
): ParameterDecorator {
  const reference: ShapeReference = { shapes, name };
  return (prototype, handlerName, index) => {
    remember(BODY_METADATA, reference, prototype, handlerName);
    Body(bodyPipe(shapes, name, optional))(prototype, handlerName, index);
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
    TheRequest(listPipe(shapes, name))(prototype, handlerName, index);
  };
}

const TheRequest = createParamDecorator((_: unknown, context: ExecutionContext) =>
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
  optional: boolean,
): Type<PipeTransform> {
  @Injectable()
  class BodyPipe implements PipeTransform {
    constructor(
      @Inject(shapes) private readonly running: Shapes,
      private readonly settings: Settings,
    ) {}

    transform(body: unknown): unknown {
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
      private readonly settings: Settings,
    ) {}

    transform(request: Request): ListRequest<string, string> {
      const list = readListRequest(
        this.running[name] as ListShape<never, string, string>,
        request.query,
        this.settings.listLimitMax,
      );
      return { ...list, streamed: asksForCsv(request) };
    }
  }
  return mixin(ListPipe);
}
