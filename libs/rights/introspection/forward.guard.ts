import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ClientAddresses } from '@app/platform/context/client-addresses';
import { requestState } from '@app/platform/context/request-state';
import { ReadOnlyServer } from '@app/platform/database/connection-errors';
import { hasBody } from '@app/platform/dto/json-body';
import { AccessDenied, type ApiError, ValidationFailed } from '@app/platform/errors/api-error';
import {
  type AccessRow,
  namedAccessStatement,
  type NamedRow,
  NOTHING,
} from '@app/security/access/access.queries';
import { evaluateAccess, methodRefusal } from '@app/security/access/access-evaluation';
import { Caller } from '@app/security/access/caller';
import { CredentialLookup, type RequestAddress } from '@app/security/access/credential-lookup';
import { addressRefusal } from '@app/security/access/credential-refusals';
import { CredentialUse } from '@app/security/access/credential-use';
import { PRIVILEGES } from '@app/security/access/privileges';
import type { Role } from '@app/security/access/roles';
import { type Demands, demandsOf, forwardedMethod } from './forward-request';
import { tokenKindOf } from './introspection.types';

const ANYWHERE: RequestAddress<NamedRow> = { statement: namedAccessStatement(NOTHING), identifiers: [] };
const OF_ORGANISATION = { organisation: true, user: false, records: [] };
const READ = namedAccessStatement(OF_ORGANISATION);

/** Reading an organisation, with the rights of `GET /organisations/{organisationId}`. */
const READS_ORGANISATION = {
  operation: 'organisations.read',
  privilege: PRIVILEGES['organisations.read'],
  address: OF_ORGANISATION,
  parameters: ['organisationId'],
  statement: READ,
} as const;

/** Decides on a request that a reverse proxy received, by the same statement as the guard of routes. */
@Injectable()
export class ForwardGuard implements CanActivate {
  constructor(
    private readonly credentials: CredentialLookup,
    private readonly use: CredentialUse,
    private readonly addresses: ClientAddresses,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const arrivedAt = performance.now();
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    // Proxies copy `Content-Length` without the body. The next question would then be
    // read as the body of this one.
    if (hasBody(request)) response.setHeader('Connection', 'close');
    const demands = demandsOf(request.query);
    const row = await this.credentials.present(request.headers.authorization, addressOf(demands));
    if (row.on_standby) throw new ReadOnlyServer();
    const state = requestState(response);
    const arrival = { request, addresses: this.addresses, requestId: state.id, arrivedAt };
    const caller = new Caller(arrival, row);
    state.context = caller;
    const demanded = demandsOn(demands, row);
    const refusal =
      addressRefusal(row, () => caller.ip) ??
      methodRefusal(forwardedMethod(request), row, FORWARDED_READING) ??
      demanded.refusal;
    if (refusal !== undefined) throw refusal;
    if (row.stale) this.use.note(caller.credential);
    for (const [name, value] of headersOf(row, demanded.readsOnly)) response.setHeader(name, value);
    return true;
  }
}

/** A preflight request only reads, like GET and HEAD. */
const FORWARDED_READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

const addressOf = (demands: Demands | ValidationFailed): RequestAddress<NamedRow> =>
  demands instanceof ValidationFailed || demands.organisationId === undefined
    ? ANYWHERE
    : { statement: READ, identifiers: [demands.organisationId] };

interface Judgement {
  readonly refusal?: ApiError | undefined;
  /** Only a grant to read lets the caller in. */
  readonly readsOnly: boolean;
}

function demandsOn(demands: Demands | ValidationFailed, row: AccessRow): Judgement {
  const refused = (refusal: ApiError): Judgement => ({ refusal, readsOnly: false });
  if (demands instanceof ValidationFailed) return refused(demands);
  const { roles, organisationId } = demands;
  if (roles !== undefined && !roles.some((role) => rolesOfUser(row).includes(role))) {
    return refused(lacksRole());
  }
  if (organisationId === undefined) return { readsOnly: false };
  const question = { route: READS_ORGANISATION, method: 'GET', clientAddress: () => undefined };
  // A missing organisation gives the same response as one out of reach.
  const { refusal, decision } = evaluateAccess(question, row);
  if (refusal !== undefined) return refused(new AccessDenied());
  if (roles !== undefined && !roles.some((role) => countsThere(role, row))) return refused(lacksRole());
  return { readsOnly: decision?.by === 'byGrant' && row.used_grant?.access === 'read' };
}

const lacksRole = (): ApiError => new AccessDenied('The user has none of the roles', 'ROLE_REQUIRED');

/**
 * Whether the user holds the role for the addressed organisation: in its own one, as CUSTADMIN also beneath
 * it, as admin everywhere. A grant gives nobody a role (rule other-services 20).
 */
function countsThere(role: Role, row: AccessRow): boolean {
  if (!rolesOfUser(row).includes(role)) return false;
  if (role === 'ROLE_ADMIN' || row.addressed_organisation_id === row.organisation_id) return true;
  return role === 'ROLE_CUSTADMIN' && row.beneath === true;
}

const rolesOfUser = (row: AccessRow): readonly string[] => (row.user_id === null ? [] : row.roles);

const headersOf = (
  row: NamedRow,
  readsOnly: boolean,
): readonly (readonly [name: string, value: string])[] => [
  ['X-Account-User', row.user_id === null ? '' : String(row.user_id)],
  ['X-Account-Service-Key', row.user_id === null ? String(row.credential_id) : ''],
  ['X-Account-Username', encodeURIComponent(row.known_as)],
  ['X-Account-Organisation', String(row.organisation_id)],
  ['X-Account-Roles', rolesOfUser(row).join(',')],
  ['X-Account-Credential', tokenKindOf(row)],
  ['X-Account-Read-Only', String(row.read_only || readsOnly)],
  ...(row.staff_id === null
    ? []
    : ([
        ['X-Account-Support', 'true'],
        ['X-Account-Act', String(row.staff_id)],
      ] as const)),
];
