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
  type Type,
} from '@nestjs/common';
import type { Request } from 'express';
import { Settings } from '@app/config/settings';
import { ApiError, type CheckResult, errorsIn, fieldError, ValidationFailed } from '../errors/api-error';
import { isStorableText, NOT_STORABLE } from './field.decorators';
import { DeferredBodyError } from './json-body';
import { declarationOf, declare, type DeclaredRefusal, declares, type QueryText } from './route-declaration';
import { ShapePipe } from './shape.pipe';
import type { RequestShape, ResponseShape, ShapesToken } from './shapes';

export type NamesOf<Shapes, Kind> = {
  [Name in keyof Shapes]: Shapes[Name] extends Kind ? Name : never;
}[keyof Shapes] &
  string;

type ResponseValue<Shape> = Shape extends ResponseShape<infer Value> ? Value : never;

type Handler<Value> = (...args: never[]) => Promise<Value> | Value;

/**
 * Declares the status of a route's response and the shape of the handler's value. The compiler checks the
 * type of the value for all variants, because their shapes implement the same class.
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
    declare(prototype, handlerName, { response: { shapes, name }, status });
    HttpCode(status)(prototype, handlerName, descriptor);
  };
}

/** The status of a response without a shape. */
export const RespondsStatus = (status: number, model?: Type<object>) =>
  applyDecorators(HttpCode(status), declares({ status, ...(model && { model }) }));

/** The tag of a controller's routes in the interface description. */
export const Tag = (tag: string): ClassDecorator => declares({ tags: [tag] });

/** A response without a body: 204. */
export const NoContent = () => RespondsStatus(204);

/** A file response of this media type: the handler returns a {@link StreamableFile}. */
export const RespondsWithFile = (type: string) =>
  applyDecorators(HttpCode(200), declares({ fileResponse: type, status: 200 }));

/** A response of plain text: the handler returns a {@link StreamableFile}. */
export const RespondsWithText = () => applyDecorators(HttpCode(200), declares({ isText: true, status: 200 }));

interface InputOptions {
  /** An absent or empty body becomes undefined. */
  readonly optional?: boolean;
  /** The body may also be a form. The module of the route parses it by `formBody`. */
  readonly form?: boolean;
  /** A setting. Without it the body is ignored, whatever it is, and becomes undefined. */
  readonly onlyWith?: 'stepUp';
  /**
   * A body that cannot be read counts as none, and unknown fields are ignored: the body holds a proof alone,
   * and clients that are asked for none may send anything (rule requests 7).
   */
  readonly ifReadable?: boolean;
}

/** The request body, converted by a shape of the running variant into the domain's input. */
export function RequestBody<Shapes extends object>(
  shapes: ShapesToken<Shapes>,
  name: NamesOf<Shapes, RequestShape<unknown>>,
  options: InputOptions = {},
): ParameterDecorator {
  const { optional = false, form = false } = options;
  return (prototype, handlerName, index) => {
    declare(prototype, handlerName, { body: { shapes, name, optional, form } });
    Body(bodyPipe(shapes, name, options))(prototype, handlerName, index);
  };
}

function bodyPipe<Shapes extends object>(
  shapes: ShapesToken<Shapes>,
  name: keyof Shapes,
  { optional = false, onlyWith, ifReadable = false }: InputOptions,
): Type<PipeTransform> {
  @Injectable()
  class BodyPipe implements PipeTransform {
    private readonly shape: ShapePipe<unknown>;

    constructor(
      @Inject(shapes) running: Shapes,
      private readonly settings: Settings,
    ) {
      this.shape = new ShapePipe(running[name] as RequestShape<unknown>, settings.strictBody && !ifReadable);
    }

    transform(body: unknown): unknown {
      if (onlyWith !== undefined && !this.settings[onlyWith]) return undefined;
      if (ifReadable) return this.readOrIgnored(body);
      if (body instanceof DeferredBodyError) throw body.answer;
      if (optional && isEmpty(body)) return undefined;
      return this.shape.transform(body);
    }

    private async readOrIgnored(body: unknown): Promise<unknown> {
      if (body instanceof DeferredBodyError || isEmpty(body)) return undefined;
      try {
        return await this.shape.transform(body);
      } catch (error) {
        if (error instanceof ApiError) return undefined;
        throw error;
      }
    }
  }
  return mixin(BodyPipe);
}

const isEmpty = (body: unknown): boolean =>
  body === undefined ||
  (typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length === 0);

const same = (text: string): string => text;

const GIVEN_TWICE = fieldError('GIVEN_TWICE', 'This parameter should be given once.');

const ValueOfQuery = createParamDecorator(
  (
    { name, maxLength, keepsEmpty = false, read = same, check, toValue = same }: QueryText<unknown>,
    context: ExecutionContext,
  ): unknown => {
    const value = context.switchToHttp().getRequest<Request>().query[name];
    if (value === undefined || (value === '' && !keepsEmpty)) return undefined;
    const refuse = (found: CheckResult): never => {
      throw ValidationFailed.on(name, errorsIn(found));
    };
    if (typeof value !== 'string') return refuse(GIVEN_TWICE);
    if (!isStorableText(value)) return refuse(NOT_STORABLE);
    const text = read(value.trim());
    if ([...text].length > maxLength) {
      return refuse(
        fieldError('TOO_LONG', `This value is too long. It should have ${maxLength} characters or less.`),
      );
    }
    const found = errorsIn(check(text));
    return found.length > 0 ? refuse(found) : toValue(text);
  },
);

/** Passes a parameter of the query string to the handler. An empty text counts as absent. */
export const QueryParameter =
  (text: QueryText<unknown>): ParameterDecorator =>
  (prototype, handlerName, index) => {
    const handler = (prototype as Record<string | symbol, object>)[handlerName ?? ''];
    // Decorators of parameters run from the last to the first.
    const later = (handler && declarationOf(handler).query) ?? [];
    declare(prototype, handlerName, { query: [text, ...later] });
    ValueOfQuery(text)(prototype, handlerName, index);
  };

/** A deprecated route. Its responses say so and contain the path of its successor. */
export const Deprecated = () => declares({ isDeprecated: true });

/**
 * Errors of a route for the interface description, besides the errors that follow from path, access and body.
 * What an error says by a setting, or whether it occurs, comes from a function of the settings.
 */
export const Refuses = (...errors: readonly DeclaredRefusal[]) => declares({ refusals: errors });

/** Declares errors like {@link Refuses}, from a list in the shapes of the running variant. */
export function RefusesIn<Shapes extends object>(
  shapes: ShapesToken<Shapes>,
  name: {
    [Name in keyof Shapes]: Shapes[Name] extends readonly ApiError[] ? Name : never;
  }[keyof Shapes] &
    string,
) {
  return declares({ variantRefusals: { shapes, name } });
}
