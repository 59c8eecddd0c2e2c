import { Injectable, type CanActivate, type ExecutionContext, type Type } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { traceSubject } from '@app/core/http/request-log';
import { identifyActor } from '@app/core/actor/actor-context';
import { ReadOnlyServer } from '@app/core/database/connection-errors';
import { AccessDenied, NotFound, RoleRequired } from '@app/core/errors/api-error';
import { accessStatement, type AccessRow, type RouteAddress } from './access.queries';
import type { Caller } from '@app/core/access/caller';
import { CredentialUse } from './credential-use';
import { CredentialStrategy } from './credential.strategy';
import { decide } from '@app/core/access/decide';
import {
  ACCESS_METADATA,
  ACCESS_PROPERTY,
  PUBLIC_METADATA,
  RECORDS_METADATA,
  type GrantedAccess,
  type PathRecord,
  type RequestWithAccess,
} from '@app/core/access/access.decorators';
import { PRIVILEGES, type Operation, type Privilege } from '@app/core/access/privileges';
import { ADDRESS_PROPERTY, pathIdentifier, type AddressedRequest } from '@app/core/access/request-address';

interface RouteAccess {
  readonly privilege: Privilege | undefined;
  readonly address: RouteAddress;
  /** Identifying path parameters in the order of the access query. */
  readonly parameters: readonly string[];
  readonly statement: ReturnType<typeof accessStatement>;
}

/**
 * Decides on every request, in the order of decisions.md section 2: 401 for the credential, 404 for what is
 * addressed, 403 and the 500 of a missing role from the privilege table.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  private readonly byHandler = new WeakMap<object, RouteAccess>();

  constructor(
    private readonly reflector: Reflector,
    private readonly use: CredentialUse,
    private readonly strategy: CredentialStrategy,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const route = this.routeOf(context);
    if (route.privilege === undefined) return true;
    const request = context.switchToHttp().getRequest<Request>();
    const identifiers = route.parameters.map((name) => pathIdentifier(textOf(request.params[name])));
    (request as AddressedRequest)[ADDRESS_PROPERTY] = { statement: route.statement, identifiers };
    const row = await this.strategy.run(request);
    if (row.on_standby) throw new ReadOnlyServer();
    traceSubject(context.switchToHttp().getResponse<Response>(), { userId: row.user_id });
    assertFound(route.address, row);
    assertMethodAllowed(request.method, row);
    (request as RequestWithAccess)[ACCESS_PROPERTY] = grantAccess(route, row, identifiers);
    identifyActor({ userId: row.user_id, credentialKind: row.kind, credentialId: row.credential_id });
    if (row.stale) this.use.note({ kind: row.kind, id: row.credential_id });
    return true;
  }

  private routeOf(context: ExecutionContext): RouteAccess {
    const handler = context.getHandler();
    const known = this.byHandler.get(handler);
    if (known !== undefined) return known;
    const route = this.readRoute(context.getClass(), handler);
    this.byHandler.set(handler, route);
    return route;
  }

  private readRoute(
    controller: Type<unknown>,
    handler: ReturnType<ExecutionContext['getHandler']>,
  ): RouteAccess {
    const operation = this.reflector.get<Operation | undefined>(ACCESS_METADATA, handler);
    const isPublic = this.reflector.get<string | undefined>(PUBLIC_METADATA, handler) !== undefined;
    if (operation === undefined && !isPublic) throw new Error('A route is neither @Access nor @PublicRoute');
    const path = [controller, handler]
      .map((target) => String(Reflect.getMetadata(PATH_METADATA, target) ?? ''))
      .join('/');
    const declared =
      this.reflector.getAllAndMerge<Record<string, PathRecord>>(RECORDS_METADATA, [controller, handler]) ??
      {};
    const records = Object.entries(declared)
      .filter(([parameter]) => path.includes(`:${parameter}`))
      .map(([parameter, record]) => ({ ...record, parameter }));
    const address = {
      organisation: path.includes(':organisationId'),
      user: path.includes(':userId'),
      records,
    };
    return {
      privilege: operation === undefined ? undefined : PRIVILEGES[operation],
      address,
      parameters: [
        ...(address.organisation ? ['organisationId'] : []),
        ...(address.user ? ['userId'] : []),
        ...records.map(({ parameter }) => parameter),
      ],
      statement: accessStatement(address),
    };
  }
}

/** 404 for the first thing of the path that does not exist, from the organisation downwards. */
function assertFound(address: RouteAddress, row: AccessRow): void {
  if (address.organisation && row.addressed_organisation_id === null) throw new NotFound('Organisation');
  if (address.user && row.addressed_user_id === null) throw new NotFound('User');
  if (row.missing_record !== null)
    throw new NotFound(address.records[row.missing_record]?.name ?? 'Resource');
}

/** Methods that change nothing. */
const READING: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** 403 where a read-only API key would do more than read, whatever its user may do. */
function assertMethodAllowed(method: string, { read_only: isReadOnly }: AccessRow): void {
  if (!isReadOnly || READING.has(method)) return;
  throw new AccessDenied('This API key only reads: GET and HEAD', 'API_KEY_READ_ONLY');
}

function grantAccess(
  route: RouteAccess,
  row: AccessRow,
  identifiers: readonly (number | null)[],
): GrantedAccess {
  const caller: Caller = {
    credential: { kind: row.kind, id: row.credential_id },
    userId: row.user_id,
    organisationId: row.organisation_id,
    username: row.username,
    firstName: row.first_name,
    lastName: row.last_name,
    roles: row.roles,
    hasGrants: row.has_grants,
  };
  const organisation =
    row.addressed_organisation_id === null
      ? undefined
      : {
          own: row.addressed_organisation_id === row.organisation_id,
          beneath: row.beneath,
          granted: row.granted,
        };
  const user =
    row.addressed_user_id === null
      ? undefined
      : { id: row.addressed_user_id, roles: row.addressed_user_roles ?? [] };
  const verdict = decide(route.privilege as Privilege, caller, organisation, user);
  if (verdict === 'deny') throw new AccessDenied();
  if (verdict === 'role') throw new RoleRequired();
  const ids = Object.fromEntries(route.parameters.map((name, index) => [name, identifiers[index] as number]));
  return { caller, organisation, ids };
}

const textOf = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;
