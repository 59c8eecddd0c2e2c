import type { Type } from '@nestjs/common';
import type { ApiError, FoundFaults } from '../errors/api-error';
import type { ShapeReference } from './shapes';

/** A text parameter of the query string, apart from the conventions of lists. */
export interface QueryText {
  readonly name: string;
  readonly description: string;
  readonly maxLength: number;
  readonly example: string;
  /** Schema in the interface description, if the text stands for another type. */
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

/**
 * The record of a route: its decorators write it; guards, writer and interface description read it. `libs/security` adds the fields
 * about access.
 */
export interface RouteDeclaration {
  /** One line for the list of operations. */
  readonly summary?: string;
  /** Notes for clients beyond the required rights. */
  readonly note?: string;
  readonly isDeprecated?: boolean;
  readonly body?: ShapeReference;
  readonly fileBody?: FileBodyRule;
  readonly list?: ShapeReference;
  readonly query?: readonly QueryText[];
  /** Status of the response. Default as in Nest: 201 for a POST, otherwise 200. */
  readonly status?: number;
  readonly response?: ShapeReference;
  /** The class of a response without a shape. */
  readonly model?: Type<object>;
  /** The type of the file that is the response. */
  readonly fileResponse?: string;
  readonly isText?: boolean;
  readonly etag?: ETagOptions;
  /** Errors for the interface description, besides those that follow from path, access and body. */
  readonly refusals?: readonly ApiError[];
  readonly variantRefusals?: ShapeReference;
}

const declarations = new WeakMap<object, RouteDeclaration>();

/** The declaration of a handler, or of a controller for all its routes. */
export const declarationOf = (target: object): RouteDeclaration => declarations.get(target) ?? {};

/** Adds to the declaration of a handler, which a decorator names by its class and its own name, or of a controller. */
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
