import { OPERATOR_ORGANISATION } from '../context/operator';
import { type Caller, isAdmin } from './caller';

/** The operator's people and keys, whom no count of customers bounds (rule organisations 24). */
export const actsForOperator = (caller: Pick<Caller, 'roles' | 'organisationId'>): boolean =>
  isAdmin(caller) || caller.organisationId === OPERATOR_ORGANISATION;
