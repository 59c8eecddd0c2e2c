import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { keepCaller } from '@app/core/http/request-caller';
import { traceSubject } from '@app/core/http/request-log';
import { identifyActor } from '@app/core/actor/actor-context';
import { ReadOnlyServer } from '@app/core/database/connection-errors';
import { ACCESS_PROPERTY, type RequestWithAccess } from '@app/core/access/access.decorators';
import { ClientAddresses } from '@app/core/access/client-addresses';
import { ADDRESS_PROPERTY, pathIdentifier, type AddressedRequest } from '@app/core/access/request-address';
import { evaluateAccess } from './access-evaluation';
import { CredentialUse } from './credential-use';
import { CredentialStrategy } from './credential.strategy';
import { RouteAccesses } from './route-access';

/** Decides on every request: see {@link evaluateAccess}. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly routes: RouteAccesses,
    private readonly use: CredentialUse,
    private readonly strategy: CredentialStrategy,
    private readonly addresses: ClientAddresses,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const route = this.routes.of(context.getClass(), context.getHandler() as never);
    if (route === undefined) return true;
    const request = context.switchToHttp().getRequest<Request>();
    const identifiers = route.parameters.map((name) => pathIdentifier(textOf(request.params[name])));
    (request as AddressedRequest)[ADDRESS_PROPERTY] = { statement: route.statement, identifiers };
    const row = await this.strategy.run(request);
    if (row.on_standby) throw new ReadOnlyServer();
    const response = context.switchToHttp().getResponse<Response>();
    traceSubject(response, { userId: row.user_id, credentialKind: row.kind });
    keepCaller(response, { organisationId: row.organisation_id, credential: row.kind });
    const clientAddress = (): string => this.addresses.of(request);
    const evaluation = evaluateAccess({ route, method: request.method, identifiers, clientAddress }, row);
    if (evaluation.refusal !== undefined) throw evaluation.refusal;
    if (evaluation.access !== undefined) (request as RequestWithAccess)[ACCESS_PROPERTY] = evaluation.access;
    identifyActor({ userId: row.user_id, credentialKind: row.kind, credentialId: row.credential_id });
    if (row.stale) this.use.note({ kind: row.kind, id: row.credential_id });
    return true;
  }
}

const textOf = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;
