import type { Request } from 'express';
import { type FieldError, fieldError, ValidationFailed } from '@app/platform/errors/api-error';
import { pathIdentifier } from '@app/security/access/path-identifier';
import { type Role, ROLES } from '@app/security/access/roles';

/** What a reverse proxy demands of a credential, besides that it is valid. */
export interface Demands {
  /** The caller must hold one of these roles. Undefined: any role. */
  readonly roles: readonly Role[] | undefined;
  /** The caller must be able to read this organisation. Undefined: any organisation. */
  readonly organisationId: number | undefined;
}

const GIVEN_TWICE = fieldError('GIVEN_TWICE', 'This parameter should be given once.');
const NO_ROLES = fieldError('NOT_A_CHOICE', `This value should be different ones of ${ROLES.join(', ')}.`);
const NO_ORGANISATION = fieldError('INVALID_IDENTIFIER', 'This value should be an identifier.');

const UNKNOWN = fieldError('UNKNOWN_PARAMETER', 'This parameter is not known: role and organisation are.');

/** The demands in a query string, or a 400: a mistyped demand must not lead to a yes. */
export function demandsOf({ role, organisation, ...others }: Request['query']): Demands | ValidationFailed {
  // The client chooses the names, so `__proto__` must be a name like any other.
  const errors = Object.create(null) as Record<string, readonly FieldError[]>;
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
  // Several values do not form a known method, so a read-only key is refused.
  return told === undefined ? method : String(told).trim();
}
