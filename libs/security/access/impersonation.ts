import { AccessDenied } from '@app/platform/errors/api-error';
import type { CredentialKind } from '../context/request-context';
import type { AccessRow } from './access.queries';
import type { Impersonator } from './privileges';

/** Credentials with all rights of their holder, but for a login by a link. */
const OF_THEIR_HOLDER: ReadonlySet<CredentialKind> = new Set(['login', 'api_key', 'service_key']);

/**
 * Who acts as the user of a credential; undefined for the user itself. A kind of credential that this code
 * does not know counts as a support login.
 */
export function impersonatorOf({
  kind,
  service_key_name: serviceKey,
}: Pick<AccessRow, 'kind' | 'service_key_name'>): Impersonator | undefined {
  if (!OF_THEIR_HOLDER.has(kind)) return 'support';
  return serviceKey === null ? undefined : 'link';
}

/** 403: no support login may do this, even if its user may (rule support 14). */
export const supportNotAllowed = (message = 'A support login cannot do this'): AccessDenied =>
  new AccessDenied(message, 'SUPPORT_NOT_ALLOWED');

/** 403: nobody has shown the password for the login, and this needs it (rule login-links 28). */
const logInWithPassword = (): AccessDenied =>
  new AccessDenied('A login by a link cannot do this: log in with the password', 'LOG_IN_WITH_PASSWORD');

export const refusalOfImpersonator = (impersonator: Impersonator): AccessDenied =>
  impersonator === 'link' ? logInWithPassword() : supportNotAllowed();

/** For what only the user itself may do: an impersonated login never does. */
export function assertActsItself({
  impersonator,
}: {
  readonly impersonator: Impersonator | undefined;
}): void {
  if (impersonator !== undefined) throw refusalOfImpersonator(impersonator);
}
