import { type ExecutionContext, Injectable } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import type { Request, Response } from 'express';
import { AddressedVersion } from '@app/platform/context/addressed-version';
import { ClientAddresses } from '@app/platform/context/client-addresses';
import { readIfMatch } from '@app/platform/context/entity-tags';
import { ReadOnlyServer } from '@app/platform/database/connection-errors';
import { Unauthorised } from '@app/platform/errors/api-error';
import { accessState } from '../context/access-state';
import { RequestContext } from '../context/request-context';
import type { AccessRow } from './access.queries';
import { evaluateAccess, lacksRecordAlone } from './access-evaluation';
import { Caller } from './caller';
import type { CredentialOptions } from './credential.strategy';
import { CredentialLookup, type RequestAddress } from './credential-lookup';
import { CredentialUse } from './credential-use';
import { pathIdentifier } from './path-identifier';
import { PublicCalls } from './public-calls';
import { type GuardedRoute, RouteTable } from './route-table';

/**
 * Decides on every request by {@link evaluateAccess} and creates its context. Passport runs the strategy of
 * credentials, which finds the caller.
 */
@Injectable()
export class AccessGuard extends AuthGuard('credential') {
  constructor(
    private readonly routes: RouteTable,
    private readonly use: CredentialUse,
    private readonly lookup: CredentialLookup,
    private readonly addresses: ClientAddresses,
    private readonly calls: PublicCalls,
  ) {
    super();
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const arrivedAt = performance.now();
    const [request, response] = context.getArgs<[Request, Response]>();
    const state = accessState(response);
    const arrival = { request, addresses: this.addresses, requestId: state.id, arrivedAt };
    const {
      guarded: route,
      asksForCredential,
      countsCallsItself,
    } = this.routes.of(context.getHandler() as never);
    if (route === undefined) {
      state.context = RequestContext.forRequest(arrival);
      if (!asksForCredential && countsCallsItself !== true)
        state.context.countedCall = await this.calls.countRoute(request);
      return true;
    }
    try {
      await super.canActivate(context);
    } catch (error) {
      // A request without a valid credential counts as a call without one.
      if (error instanceof Unauthorised) await this.calls.countRefused(request);
      throw error;
    }
    const row = request.user as AccessRow;
    if (row.on_standby) throw new ReadOnlyServer();
    const caller = new Caller(arrival, row);
    state.context = caller;
    const question = { route, method: request.method, clientAddress: () => caller.ip };
    const { refusal, decision } = evaluateAccess(question, row);
    if (refusal !== undefined) {
      state.lacksRecordAlone = lacksRecordAlone(question, row);
      throw refusal;
    }
    if (decision?.by === 'byGrant') caller.grant = row.used_grant ?? undefined;
    const pathIds: Record<string, number> = {};
    for (const name of route.parameters) pathIds[name] = identifierOf(request, name) as number;
    state.pathIds = pathIds;
    caller.version = versionOf(request, route, pathIds, row);
    if (row.stale) this.use.note(caller.credential);
    return true;
  }

  /** Passport hands them to the strategy. */
  override getAuthenticateOptions(context: ExecutionContext): CredentialOptions {
    const request = context.switchToHttp().getRequest<Request>();
    const { guarded: route } = this.routes.of(context.getHandler() as never);
    if (route === undefined) throw new Error('A public route asks for no credential');
    return { lookup: this.lookup, address: addressOf(route, request) };
  }
}

const addressOf = (
  { parameters, statement, introspection }: GuardedRoute,
  request: Request,
): RequestAddress => ({
  statement,
  identifiers: parameters.map((name) => identifierOf(request, name)),
  introspection: introspection && {
    statement: introspection.statement,
    token: introspection.introspectedTokenOf(request),
  },
});

/**
 * The state of the addressed record. The access statement has read its tag already. The body is read later: a
 * tag older than its body only costs a 412, but a newer tag would lose an update.
 */
function versionOf(
  { method, headers }: Request,
  { address: { version } }: GuardedRoute,
  pathIds: Readonly<Record<string, number>>,
  { tag }: AccessRow,
): AddressedVersion | undefined {
  if (version === undefined) return undefined;
  const isRead = method === 'GET' || method === 'HEAD';
  return new AddressedVersion(
    version,
    pathIds[version.parameter] as number,
    method === 'DELETE' ? undefined : (tag ?? '0'),
    {
      condition: isRead ? undefined : readIfMatch(headers['if-match']),
      isReadAgain: method === 'PUT' || method === 'PATCH',
    },
  );
}

/** The identifier of a path parameter; null for text that cannot be one. */
const identifierOf = ({ params }: Request, parameter: string): number | null => {
  const text = params[parameter];
  return pathIdentifier(typeof text === 'string' ? text : undefined);
};
