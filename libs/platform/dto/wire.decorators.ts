import {
  applyDecorators,
  Body,
  createParamDecorator,
  type ExecutionContext,
  HttpCode,
  Inject,
  Injectable,
  mixin,
  type PipeTransform,
  SetMetadata,
  type Type,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { requestState } from '../http/request-state';
import { asksForCsv } from '../lists/csv-response';
import { ListConventions, readListRequest } from '../lists/list-request';
import type { ListRequest } from '../lists/paginator';
import { Settings } from '../process/settings';
import { DeferredBodyError } from './json-body';
import { readBody } from './read-body';
import type { ListShape, RequestShape, ResponseShape } from './shapes';
import { type ApiError, fault, faultsIn, type FoundFaults, ValidationFailed } from '../errors/api-error';
import { isStorableText, NOT_STORABLE } from './field.decorators';

export const RESPONSE_METADATA = 'wire:response';
export const BODY_METADATA = 'wire:body';
export const LIST_METADATA = 'wire:list';

/** The abstract class of a domain's shapes: the injection token of the running variant's. */
export type ShapesToken<Shapes> = abstract new (...args: never[]) => Shapes;

/** Names one shape of a domain. */
export interface ShapeReference {
  readonly shapes: ShapesToken<object>;
  readonly name: string;
  readonly status?: number;
  /** A body that may be left out. */
  readonly optional?: boolean;
  /** A body that may be a form too. */
  readonly form?: boolean;
}

type NamesOf<Shapes, Kind> = {
  [Name in keyof Shapes]: Shapes[Name] extends Kind ? Name : never;
}[keyof Shapes] &
  string;

type ResponseValue<Shape> = Shape extends ResponseShape<infer Value> ? Value : never;

type Handler<Value> = (...args: never[]) => Promise<Value> | Value;

/**
 * Declares the status of a route's response and the shape that writes the handler's value. The compiler checks that the
 * handler returns the value of the shape, for all variants, since they implement the same class.
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
  /** An absent or empty body becomes undefined. */
  readonly optional?: boolean;
  /** The body may be a form too; the module of the route reads it by `formBody`. */
  readonly form?: boolean;
  /** The setting without which the body is ignored and becomes undefined. */
  readonly onlyWith?: 'stepUp';
}

/** The request body, read by a shape of the running variant into the domain's input. */
export function RequestBody<Shapes extends object>(
  shapes: ShapesToken<Shapes>,
  name: NamesOf<Shapes, RequestShape<unknown>>,
  options: InputOptions = {},
): ParameterDecorator {
  const { optional = false, form = false } = options;
  const reference: ShapeReference = { shapes, name, optional, form };
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
    CurrentResponse(listPipe(shapes, name))(prototype, handlerName, index);
  };
}

const CurrentResponse = createParamDecorator((_: unknown, context: ExecutionContext) =>
  context.switchToHttp().getResponse<Response>(),
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
      if (body instanceof DeferredBodyError) throw body.answer;
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

    transform(response: Response): ListRequest<string, string> {
      const request = response.req;
      const list = readListRequest(this.running[name] as ListShape<never, string, string>, request.query, {
        tag: this.conventions.tag,
        limitMax: this.settings.listLimitMax,
        streamed: asksForCsv(request),
      });
      return { ...list, reader: requestState(response).context.client };
    }
  }
  return mixin(ListPipe);
}

export const QUERY_METADATA = 'wire:query';

const GIVEN_TWICE = fault('GIVEN_TWICE', 'This parameter should be given once.');

/** A text parameter of the query string, apart from the conventions of lists. */
export interface QueryText {
  readonly name: string;
  readonly description: string;
  readonly maxLength: number;
  readonly example: string;
  /** Of a text that means something else, for the interface description. */
  readonly schema?: object;
  /** An empty text counts as one; otherwise as absent. */
  readonly keepsEmpty?: boolean;
  /** Finds its errors, apart from the length. */
  readonly check: (text: string) => FoundFaults;
}

const TheText = createParamDecorator(
  (
    { name, maxLength, keepsEmpty = false, check }: QueryText,
    context: ExecutionContext,
  ): string | undefined => {
    const value = context.switchToHttp().getRequest<Request>().query[name];
    if (value === undefined || (value === '' && !keepsEmpty)) return undefined;
    const refuse = (found: FoundFaults): never => {
      throw ValidationFailed.on(name, faultsIn(found));
    };
    if (typeof value !== 'string') return refuse(GIVEN_TWICE);
    if (!isStorableText(value)) return refuse(NOT_STORABLE);
    const text = value.trim();
    if ([...text].length > maxLength) {
      return refuse(
        fault('TOO_LONG', `This value is too long. It should have ${maxLength} characters or less.`),
      );
    }
    const found = faultsIn(check(text));
    return found.length > 0 ? refuse(found) : text;
  },
);

/** Passes a text of the query string; empty counts as absent. */
export const QueryParameter =
  (text: QueryText): ParameterDecorator =>
  (prototype, handlerName, index) => {
    const handler = (prototype as Record<string | symbol, object>)[handlerName ?? ''];
    if (handler !== undefined) {
      // Decorators of parameters run from the last to the first.
      const later = (Reflect.getMetadata(QUERY_METADATA, handler) ?? []) as readonly QueryText[];
      Reflect.defineMetadata(QUERY_METADATA, [text, ...later], handler);
    }
    TheText(text)(prototype, handlerName, index);
  };

/** Languages of reference data; the first is the default. */
const ANSWER_LANGUAGES = ['en', 'nl', 'fr'] as const;

export type AnswerLanguage = (typeof ANSWER_LANGUAGES)[number];

/** The best match for `Accept-Language`. */
function languageOf(request: Pick<Request, 'acceptsLanguages'>): AnswerLanguage {
  const [first] = ANSWER_LANGUAGES;
  const best = request.acceptsLanguages(...ANSWER_LANGUAGES);
  return ANSWER_LANGUAGES.find((language) => language === best) ?? first;
}

/** The language of the response; sets `Content-Language`. */
export const TheLanguage = createParamDecorator((_: unknown, context: ExecutionContext): AnswerLanguage => {
  const http = context.switchToHttp();
  const language = languageOf(http.getRequest<Request>());
  http.getResponse<Response>().setHeader('Content-Language', language);
  return language;
});

export const REFUSALS_METADATA = 'openapi:refusals';
export const VARIANT_REFUSALS_METADATA = 'openapi:variant-refusals';

/** Errors of a route for the interface description, besides those that follow from its path, access and body. */
export const Refuses = (...errors: readonly ApiError[]) => SetMetadata(REFUSALS_METADATA, errors);

/** The same from a list beside the shapes of the running variant. */
export function RefusesIn<Shapes extends object>(
  shapes: ShapesToken<Shapes>,
  name: {
    [Name in keyof Shapes]: Shapes[Name] extends readonly ApiError[] ? Name : never;
  }[keyof Shapes] &
    string,
) {
  return SetMetadata(VARIANT_REFUSALS_METADATA, { shapes, name } satisfies ShapeReference);
}
