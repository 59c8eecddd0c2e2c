import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { RequestContext } from '@app/platform/context/request-context';
import { Unauthorised } from '@app/platform/errors/api-error';
import { ReadOnlyServer } from '@app/platform/database/connection-errors';
import { ClientAddresses } from '@app/platform/http/client-addresses';
import { requestState } from '@app/platform/http/request-state';
import { evaluateAccess } from './access-evaluation';
import { Caller } from './access.decorators';
import { CredentialUse } from './credential-use';
import { CredentialStrategy, pathIdentifier, type RequestAddress } from './credential-lookup';
import type { AccessRow } from './access.queries';
import { PublicCalls } from '../throttling/public-calls';
import { RouteTable } from './route-table';

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
    const request = context.switchToHttp().getRequest<Request>();
    const state = requestState(context.switchToHttp().getResponse<Response>());
    const arrival = { request, addresses: this.addresses, requestId: state.id, arrivedAt };
    state.handler = context.getHandler() as never;
    const route = this.routes.accessOf(context.getHandler() as never);
    if (route === null) {
      state.context = RequestContext.forRequest(arrival);
      return true;
    }
    const { parameters, statement } = route;
    const identifiers = parameters.map((name) => pathIdentifier(textOf(request.params[name])));
    const row = await this.callerOf(request, { statement, identifiers });
    if (row.on_standby) throw new ReadOnlyServer();
    const caller = new Caller(arrival, row);
    state.context = caller;
    state.caller = caller;
    const question = { route, method: request.method, clientAddress: () => caller.ip };
    const { refusal } = evaluateAccess(question, row);
    if (refusal !== undefined) throw refusal;
    state.pathIds = Object.fromEntries(parameters.map((name, index) => [name, identifiers[index] as number]));
    if (row.stale) this.use.note(caller.credential);
    return true;
  }

  /** 401 without a valid credential, which counts as a call without one. */
  private async callerOf(request: Request, address: RequestAddress): Promise<AccessRow> {
    try {
      return await this.strategy.run(request, address);
    } catch (error) {
      if (error instanceof Unauthorised) await this.calls.countRefused(request);
      throw error;
    }
  }
}

const textOf = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;
