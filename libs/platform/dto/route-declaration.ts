import type { ApiError, FoundFaults } from '../errors/api-error';
import type { ShapeReference } from './shapes';

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

/** The file that a route accepts as its body. */
export interface FileBodyRule {
  /** Media types, in lower case. */
  readonly types: readonly string[];
  readonly maxBytes: number;
}

/** How a cached response depends on the request. */
export interface ETagOptions {
  /** Whether `Accept-Language` chooses its language, see `TheLanguage`. */
  readonly isTranslated: boolean;
}

/** What the decorators of a route say of its requests and responses. */
interface RouteDeclaration {
  readonly body?: ShapeReference;
  readonly fileBody?: FileBodyRule;
  readonly list?: ShapeReference;
  readonly query?: readonly QueryText[];
  readonly response?: ShapeReference;
  /** The type of the file that is the response. */
  readonly fileResponse?: string;
  readonly isText?: boolean;
  readonly etag?: ETagOptions;
  /** Errors for the interface description, besides those that follow from path, access and body. */
  readonly refusals?: readonly ApiError[];
  readonly variantRefusals?: ShapeReference;
}

const declarations = new WeakMap<object, RouteDeclaration>();

/** The declaration of a handler. */
export const declarationOf = (handler: object): RouteDeclaration => declarations.get(handler) ?? {};

/** Adds to the declaration of a handler, which a decorator names by its class and its own name. */
export function declare(
  prototype: object,
  handlerName: string | symbol | undefined,
  part: RouteDeclaration,
): void {
  const handler = (prototype as Record<string | symbol, object>)[handlerName ?? ''];
  if (handler !== undefined) declarations.set(handler, { ...declarationOf(handler), ...part });
}

/** A decorator that only declares. */
export const declares =
  (part: RouteDeclaration): MethodDecorator =>
  (prototype, handlerName) =>
    declare(prototype, handlerName, part);
