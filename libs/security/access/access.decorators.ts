import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { VersionedRecord } from '@app/platform/context/addressed-version';
import { declare, declares } from '@app/platform/dto/route-declaration';
import { accessState } from '../context/access-state';
import type { PathRecord } from './access.types';
import type { Caller } from './caller';
import type { Operation } from './privileges';

declare module '@app/platform/dto/route-declaration' {
  interface RouteDeclaration {
    /** A row of the privilege table; a route has this or `publicBecause`. */
    readonly operation?: Operation;
    /** Why a public route needs no credential. */
    readonly publicBecause?: string;
    readonly checksCredentialItself?: boolean;
    readonly countsCallsItself?: boolean;
    readonly ignoresKey?: boolean;
    readonly checksProof?: boolean;
    readonly records?: Readonly<Record<string, PathRecord>>;
    readonly version?: VersionedRecord;
    readonly introspectedTokenOf?: TokenOf;
  }
}

/** Names a route's operation in the privilege table, and its texts for the interface description. */
export const Access = (operation: Operation, summary: string, note = '') =>
  declares({ operation, summary, note });

type Handler = (...args: never[]) => unknown;

/**
 * Declares a route without a credential, says why, and gives its texts for the interface description. The
 * compiler refuses a handler that takes a {@link Caller}.
 */
export const PublicRoute =
  (publicBecause: string, summary: string, note = '') =>
  <H extends Handler>(
    prototype: object,
    name: string,
    _descriptor: Extract<Parameters<H>[number], Caller> extends never ? TypedPropertyDescriptor<H> : never,
  ): void =>
    declare(prototype, name, { publicBecause, summary, note });

/** A public route that checks the credential itself. Its calls do not count as calls without a credential. */
export const ChecksCredentialItself = () => declares({ checksCredentialItself: true });

/** A public route with a guard of its own that counts those of its calls that count (`PublicCalls`). */
export const CountsCallsItself = () => declares({ countsCallsItself: true });

/** A POST that ignores `Idempotency-Key`: it changes nothing, or rule idempotency 12 names it. */
export const IgnoresIdempotencyKey = () => declares({ ignoresKey: true });

/**
 * A route with a credential that checks a password or a code, always or with `STEP_UP`.
 * Its attempts are limited.
 */
export const ChecksProof = () => declares({ checksProof: true });

/**
 * Declares the records of path parameters other than `organisationId` and `userId`, on a controller or a
 * route. The guard looks them up in its own query, because 404 comes before 403.
 */
export function PathRecords(records: Readonly<Record<string, PathRecord>>) {
  const [version] = Object.entries(records).flatMap(([parameter, { table, tag }]) =>
    tag === undefined ? [] : [{ table, parameter, tag }],
  );
  return declares({ records, ...(version && { version }) });
}

/** Reads the token to introspect from a request, if any. */
export type TokenOf = (request: Request) => unknown;

/**
 * Declares that a route introspects a token. The guard's statement finds it too: a second one
 * costs a third of the rate.
 */
export const IntrospectsToken = (introspectedTokenOf: TokenOf) => declares({ introspectedTokenOf });

/**
 * Gives the single record of a controller an entity tag, if it is not one of its `@PathRecords`: `ETag` and
 * `If-None-Match` on GET, `If-Match` on PUT, PATCH and DELETE. The tag applies on the path that ends with the
 * parameter, or on the controller's path if that contains the parameter. The table has a `version` column;
 * its migration adds the trigger function `count_version`, which increments it.
 */
export const Versioned = (version: VersionedRecord) => declares({ version });

/**
 * The context of the request: a {@link Caller} on a route with `@Access`, otherwise a plain `RequestContext`.
 * A public route sets the actor once it knows it.
 */
export const Ctx = createParamDecorator((_: unknown, context: ExecutionContext) => {
  return accessState(context.getArgByIndex<Response>(1)).context;
});

/** A path identifier; the guard has checked that its record exists. */
export const PathId = createParamDecorator((parameter: string, context: ExecutionContext) => {
  const id = accessState(context.getArgByIndex<Response>(1)).pathIds?.[parameter];
  if (id === undefined) throw new Error(`The path has no identifier ${parameter}`);
  return id;
});

/** The `Authorization` header. Nest's `@Headers` would describe it twice in the OpenAPI document. */
export const Authorization = createParamDecorator(
  (_: unknown, context: ExecutionContext) =>
    context.switchToHttp().getRequest<Request>().headers.authorization,
);
