import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AddressedVersion } from '@app/platform/context/addressed-version';
import { ClientAddresses } from '@app/platform/context/client-addresses';
import { readIfMatch } from '@app/platform/context/entity-tags';
import { ReadOnlyServer } from '@app/platform/database/connection-errors';
import { Unauthorised } from '@app/platform/errors/api-error';
import { accessState } from '../context/access-state';
import { RequestContext } from '../context/request-context';
import { Caller, isAdmin } from './access.decorators';
import type { AccessRow } from './access.queries';
import { evaluateAccess, type Evaluation } from './access-evaluation';
import { CredentialStrategy } from './credential.strategy';
import { CredentialUse } from './credential-use';
import type { JudgedUser } from './judged-user';
import { pathIdentifier } from './path-identifier';
import { PublicCalls } from './public-calls';
import { OPERATOR_ORGANISATION } from './roles';
import { type GuardedRoute, RouteTable } from './route-table';

/** Decides on every request by {@link evaluateAccess} and creates its context. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly routes: RouteTable,
    private readonly use: CredentialUse,
    private readonly strategy: CredentialStrategy,
    private readonly addresses: ClientAddresses,
    private readonly calls: PublicCalls,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const arrivedAt = performance.now();
    const [request, response] = context.getArgs<[Request, Response]>();
    const state = accessState(response);
    const arrival = { request, addresses: this.addresses, requestId: state.id, arrivedAt };
    const { guarded: route, asksForCredential } = this.routes.of(context.getHandler() as never);
    if (route === undefined) {
      state.context = RequestContext.forRequest(arrival);
      if (!asksForCredential) await this.calls.countRoute(request);
      return true;
    }
    const { parameters, statements } = route;
    const identifiers = parameters.map((name) => pathIdentifier(textOf(request.params[name])));
    const introspection = route.introspection && {
      statement: route.introspection.statement,
      token: route.introspection.introspectedTokenOf(request),
    };
    const address = { statements, identifiers, introspection };
    // A request without a valid credential counts as a call without one.
    const row = await this.strategy.run(request, address).catch(async (error: unknown) => {
      if (error instanceof Unauthorised) await this.calls.countRefused(request);
      throw error;
    });
    if (row.on_standby) throw new ReadOnlyServer();
    const caller = new Caller(arrival, row);
    state.context = caller;
    const question = { route, method: request.method, clientAddress: () => caller.ip };
    const { refusal, decision } = evaluateAccess(question, row);
    if (refusal !== undefined) {
      const existing = evaluateAccess(question, { ...row, missing_record: null });
      state.lacksRecordAlone = typeof row.missing_record === 'number' && existing.refusal === undefined;
      throw refusal;
    }
    if (decision?.by === 'grantedManage') caller.grant = row.used_grant ?? undefined;
    caller.judgedUser = judgedUserOf(caller, route, row, (changed) => evaluateAccess(question, changed));
    const pathIds: Record<string, number> = {};
    parameters.forEach((name, index) => (pathIds[name] = identifiers[index] as number));
    state.pathIds = pathIds;
    caller.version = versionOf(request, route, pathIds, row);
    if (row.stale) this.use.note(caller.credential);
    return true;
  }
}

/**
 * The addressed user whom the guard might have refused with other roles or another name: by a
 * grant, or because only a user of the operator organisation can get ROLE_ADMIN. A self and an
 * admin are never refused for them.
 */
function judgedUserOf(
  caller: Caller,
  { privilege: { acts, grantRefuses } }: GuardedRoute,
  row: AccessRow,
  evaluate: (row: AccessRow) => Evaluation,
): JudgedUser | undefined {
  const { addressed_user_id: id, addressed_organisation_id: organisationId } = row;
  const isByGrant = caller.grant !== undefined && (acts || grantRefuses !== undefined);
  const isByOperator = acts && organisationId === OPERATOR_ORGANISATION && !isAdmin(caller);
  if (typeof id !== 'number' || id === caller.userId || !(isByGrant || isByOperator)) return undefined;
  return {
    id,
    refusalWith: (roles, username) =>
      evaluate({ ...row, addressed_user_roles: roles, addressed_username: username }).refusal,
  };
}

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

const textOf = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;
