import type { Type } from '@nestjs/common';
import type { Settings } from '@app/config/settings';
import type { ApiError, CheckResult } from '../errors/api-error';
import type { ShapeReference } from './shapes';

/** A text parameter of the query string, outside the conventions of lists. */
export interface QueryText<Value = string> {
  readonly name: string;
  readonly description: string;
  readonly maxLength: number;
  readonly example: string;
  /** Schema in the interface description, if the text represents another type. */
  readonly schema?: object;
  /** Whether an empty text counts as a value. Otherwise it counts as absent. */
  readonly keepsEmpty?: boolean;
  /** Reads the text before it is checked. */
  readonly read?: (text: string) => string;
  /** Returns the errors of the text, except for its length. */
  readonly check: (text: string) => CheckResult;
  /** What the handler gets of a valid text. Default: the text. */
  readonly toValue?: (text: string) => Value;
}

/** What a cached response depends on. */
export interface ETagOptions {
  /** Whether `Accept-Language` chooses its language. */
  readonly isTranslated: boolean;
}

/** A file as the body of a request. */
export interface FileOfRoute {
  /** The media types that are taken. */
  readonly types: readonly string[];
  /** The error for a file of another type. */
  readonly notTaken: ApiError;
  readonly tooLarge: ApiError;
}

/**
 * An error of a route for the interface description. An error that depends on settings is a function of them,
 * which gives undefined where the settings rule it out.
 */
export type DeclaredRefusal = ApiError | ((settings: Settings) => ApiError | undefined);

/**
 * What the decorators of a route declare. Guards, response writer and interface description read it.
 * `libs/security` adds the fields about access.
 */
export interface RouteDeclaration {
  /**
   * Chapters of the interface description, declared for a controller. Default: the domain of the operation.
   */
  readonly tags?: string[];
  /** One line for the list of operations. */
  readonly summary?: string;
  /** Notes for clients beyond the required rights. */
  readonly note?: string;
  readonly isDeprecated?: boolean;
  readonly body?: ShapeReference;
  /** The file that the route takes as its body. */
  readonly file?: FileOfRoute;
  readonly list?: ShapeReference;
  readonly query?: readonly QueryText<unknown>[];
  /** Status of the response. Default as in Nest: 201 for a POST, otherwise 200. */
  readonly status?: number;
  readonly response?: ShapeReference;
  /** The response class, if the response has no shape. */
  readonly model?: Type<object>;
  /** The media type, if the response is a file. */
  readonly fileResponse?: string;
  readonly isText?: boolean;
  readonly etag?: ETagOptions;
  /** Errors for the interface description, besides the errors that follow from path, access and body. */
  readonly refusals?: readonly DeclaredRefusal[];
  readonly variantRefusals?: ShapeReference;
}

const declarations = new WeakMap<object, RouteDeclaration>();

/** The declaration of a handler, or the declaration of a controller for all its routes. */
export const declarationOf = (target: object): RouteDeclaration => declarations.get(target) ?? {};

/** Adds to the declaration of a handler (given by its class and name), or of a controller. */
export function declare(
  target: object,
  handlerName: string | symbol | undefined,
  part: RouteDeclaration,
): void {
  const declaring =
    handlerName === undefined ? target : (target as Record<typeof handlerName, object>)[handlerName];
  if (declaring !== undefined) declarations.set(declaring, { ...declarationOf(declaring), ...part });
}

/** A decorator that only declares. */
export const declares =
  (part: RouteDeclaration) =>
  (target: object, handlerName?: string | symbol): void =>
    declare(target, handlerName, part);
