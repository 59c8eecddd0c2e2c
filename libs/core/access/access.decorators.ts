import { createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Caller } from './caller';
import type { OrganisationRelation } from './decide';
import type { Operation } from './privileges';

export const ACCESS_METADATA = 'access:operation';
export const PUBLIC_METADATA = 'access:public';
export const RECORDS_METADATA = 'access:records';

/** The one operation of the privilege table that a route is. */
export const Access = (operation: Operation) => SetMetadata(ACCESS_METADATA, operation);

/** Says in words why a route asks for no credential. */
export const PublicRoute = (why: string) => SetMetadata(PUBLIC_METADATA, why);

/** Where the record that a path parameter names is stored, and what must hold for it to exist in that path. */
export interface PathRecord {
  /** What a 404 calls it, `Contact`. */
  readonly name: string;
  readonly table: string;
  /** Column that the parameter is compared with (default `id`). */
  readonly key?: string;
  /** Column that ties the record to the organisation or user of the path, or to a record that stands before it. */
  readonly owner?: string;
  /** Which one that is, where there is an owner; a record by its path parameter, whose record is declared too. */
  readonly within?: 'organisation' | 'user' | { readonly parameter: string };
  /** A further SQL condition on the record, for example that it is not deleted. */
  readonly condition?: string;
}

/**
 * Declares the records that path parameters beyond `organisationId` and `userId` name, on a controller or a
 * route. The guard looks for them in the query that it makes anyway, since 404 comes before 403.
 */
export const PathRecords = (records: Readonly<Record<string, PathRecord>>) =>
  SetMetadata(RECORDS_METADATA, records);

/** What the guard found out about a request and leaves for its handler. */
export interface GrantedAccess {
  readonly caller: Caller;
  /** How the caller's organisation relates to the addressed one, where one is addressed. */
  readonly organisation: OrganisationRelation | undefined;
  /** The path's identifiers as integers, by parameter. */
  readonly ids: Readonly<Record<string, number>>;
}

export const ACCESS_PROPERTY = 'access';

export type RequestWithAccess = Request & { [ACCESS_PROPERTY]?: GrantedAccess };

function accessOf(context: ExecutionContext): GrantedAccess {
  const access = context.switchToHttp().getRequest<RequestWithAccess>()[ACCESS_PROPERTY];
  if (access === undefined) throw new Error('A route without @Access asked who its caller is');
  return access;
}

/** The caller of the request. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext) => {
  return accessOf(context).caller;
});

/** A path identifier, which the guard has found to exist. */
export const PathId = createParamDecorator((parameter: string, context: ExecutionContext) => {
  const id = accessOf(context).ids[parameter];
  if (id === undefined) throw new Error(`The path has no identifier ${parameter}`);
  return id;
});
