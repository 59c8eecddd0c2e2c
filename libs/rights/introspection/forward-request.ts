import type { Request } from 'express';
import { fault, type Fault, ValidationFailed } from '@app/platform/errors/api-error';
import { pathIdentifier } from '@app/security/access/credential-lookup';
import { type Role, ROLES } from '@app/security/access/roles';

/** Demands of a reverse proxy on a credential, beside that it is valid. */
export interface Demands {
  /** The caller must hold one of these roles; undefined for any. */
  readonly roles: readonly Role[] | undefined;
  /** It may read this organisation; undefined for none. */
  readonly organisationId: number | undefined;
}

const GIVEN_TWICE = fault('GIVEN_TWICE', 'This parameter should be given once.');
const NO_ROLES = fault('NOT_A_CHOICE', `This value should be different ones of ${ROLES.join(', ')}.`);
const NO_ORGANISATION = fault('INVALID_IDENTIFIER', 'This value should be an identifier.');

const UNKNOWN = fault('UNKNOWN_PARAMETER', 'This parameter is not known: role and organisation are.');

/** The demands of a query string, or the 400 for it: whoever mistypes a demand must not get a yes. */
export function demandsOf({ role, organisation, ...others }: Request['query']): Demands | ValidationFailed {
  // The names are the client's: `__proto__` is one like any other.
  const errors = Object.create(null) as Record<string, readonly Fault[]>;
  for (const name of Object.keys(others)) errors[name] = [UNKNOWN];
  const roles = typeof role === 'string' ? role.split(',') : undefined;
  const isKnown = roles?.every((text, index) => isRole(text) && roles.indexOf(text) === index) ?? true;
  const id = typeof organisation === 'string' ? pathIdentifier(organisation) : undefined;
  if (Array.isArray(role)) errors['role'] = [GIVEN_TWICE];
  else if (!isKnown) errors['role'] = [NO_ROLES];
  if (Array.isArray(organisation)) errors['organisation'] = [GIVEN_TWICE];
  else if (id === null) errors['organisation'] = [NO_ORGANISATION];
  if (Object.keys(errors).length > 0) return new ValidationFailed(errors);
  return { roles: roles?.filter(isRole), organisationId: id ?? undefined };
}

const isRole = (text: string): text is Role => (ROLES as readonly string[]).includes(text);

/** The method of the request that the proxy asks about. */
export function forwardedMethod({ headers, method }: Pick<Request, 'headers' | 'method'>): string {
  const told = [headers['x-forwarded-method'], headers['x-original-method']].find(
    (value) => value !== undefined && value !== '',
  );
  // Several values are no method: a read-only key is refused then.
  return told === undefined ? method : String(told).trim();
}
