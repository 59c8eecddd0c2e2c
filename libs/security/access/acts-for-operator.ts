import { type Caller, isAdmin } from './caller';
import { OPERATOR_ORGANISATION } from './roles';

/**
 * A ROLE_ADMIN or a service key of the operator. What the users and keys of one organisation do in all others
 * together is bounded for everybody else: who makes organisations would have the bound of each of them.
 */
export const actsForOperator = (caller: Pick<Caller, 'roles' | 'credential' | 'organisationId'>): boolean =>
  isAdmin(caller) ||
  (caller.credential.kind === 'service_key' && caller.organisationId === OPERATOR_ORGANISATION);
