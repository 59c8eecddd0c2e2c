import { fieldError, ValidationFailed } from '@app/platform/errors/api-error';
import { type Caller, isAdmin } from '@app/security/access/caller';
import type { Organisation } from './organisation.entity';

/** The types with a meaning of their own (rule organisations 2, rule organisations 23). */
export const RESELLER = 2;
const OPERATOR = 3;

type TypeOfOrganisation = Pick<Organisation, 'organisationType' | 'isReseller'>;

/** The type of a new organisation. */
export const NEW: TypeOfOrganisation = { organisationType: 1, isReseller: false };

/** Refuses the type Operator that is not there already, except from admins. */
export function assertTypeGivable(
  caller: Pick<Caller, 'roles'>,
  organisationType: number | undefined,
  before: TypeOfOrganisation,
): void {
  if (organisationType !== OPERATOR || before.organisationType === OPERATOR || isAdmin(caller)) return;
  throw ValidationFailed.on(
    'organisationType',
    fieldError('ADMIN_ONLY', 'Only an admin can give the type Operator.'),
  );
}

/**
 * Whether the organisation becomes a reseller that bounds customers, or stops being one; undefined if
 * neither. Only another type than before counts, because panels repeat all fields when they save one.
 */
export function resellerGiven(
  caller: Pick<Caller, 'roles'>,
  organisationType: number | undefined,
  before: TypeOfOrganisation,
): boolean | undefined {
  if (organisationType === undefined || organisationType === before.organisationType) return undefined;
  const isReseller = organisationType === RESELLER;
  return isAdmin(caller) && isReseller !== before.isReseller ? isReseller : undefined;
}
