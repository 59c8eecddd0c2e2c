import { Unauthorised } from '@app/platform/errors/api-error';
import { evaluateAccess } from '@app/security/access/access-evaluation';
import { CredentialLookup } from '@app/security/access/credential-lookup';
import { pathIdentifier } from '@app/security/access/path-identifier';
import { RouteTable } from '@app/security/access/route-table';
import type { ApiClient } from './client';
import type { TestService } from './service';

/**
 * What the guard would answer to a request with this credential, without sending it: `allowed`, or status and
 * reason. The request reaches no route, so that a write changes nothing.
 */
export async function verdictOn(
  { app }: Pick<TestService, 'app'>,
  { hash }: Pick<ApiClient, 'hash'>,
  method: string,
  path: string,
): Promise<string> {
  const match = app.get(RouteTable).match(method, path);
  const route = match?.route.guarded;
  if (match === undefined || route === undefined) throw new Error(`${method} ${path} needs no credential`);
  const identifiers = route.parameters.map((name) => pathIdentifier(match.parameters[name]));
  const row = await app
    .get(CredentialLookup)
    .present(hash, { statement: route.statement, identifiers })
    .catch((error: unknown) => {
      if (error instanceof Unauthorised) return undefined;
      throw error;
    });
  if (row === undefined) return '401 UNAUTHORISED';
  const { refusal } = evaluateAccess({ route, method, clientAddress: () => undefined }, row);
  return refusal === undefined ? 'allowed' : `${refusal.status} ${refusal.reason}`;
}
