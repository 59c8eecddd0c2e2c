import { BadRequest, type ConstraintErrors, fieldError } from '@app/platform/errors/api-error';
import type { Role } from '@app/security/access/roles';
import type { Organisation } from './organisation.entity';

/** A user in the response of an organisation. */
export interface OrganisationUser {
  readonly id: number;
  readonly username: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly roles: readonly Role[];
  readonly enabled: boolean;
}

/** The reseller of an organisation. */
export type Reseller = Readonly<Pick<Organisation, 'id' | 'name' | 'taxNumber'>>;

/** The searches of `GET /organisations` beside `filter` (Variant A). */
export type OrganisationSearch =
  'organisationType' | 'name' | 'taxNumber' | 'externalId' | 'userFullname' | 'userEmail';

/** TypeORM's manager or a plain connection. */
interface Connection {
  query(text: string): Promise<unknown>;
}

/** Creates the operator organisation, the root of the tree, if it is missing. Safe to run concurrently. */
export async function ensureOperatorOrganisation(connection: Connection): Promise<void> {
  await connection.query(`
    DO $$ BEGIN
      -- Leaves a table in use unlocked.
      IF EXISTS (SELECT 1 FROM organisations WHERE id = 1) THEN RETURN; END IF;
      LOCK TABLE organisations IN SHARE ROW EXCLUSIVE MODE;
      INSERT INTO organisations (id, name, tax_number, organisation_type) VALUES (1, 'Operator', '', 3)
        ON CONFLICT DO NOTHING;
      PERFORM setval(pg_get_serial_sequence('organisations', 'id'), greatest(max(id), 1)) FROM organisations;
    END $$`);
}

const PARENT = { field: 'parentOrganisation' } as const;
const RESELLER = { field: 'resellerOrganisation' } as const;
const NO_ORGANISATION = fieldError('DOES_NOT_EXIST', 'This organisation does not exist.');
const CIRCLE = fieldError('CIRCLE', 'An organisation cannot lie beneath itself.');
const TOO_DEEP = fieldError(
  'TOO_DEEP',
  'At most 32 organisations can lie on one way from the operator organisation.',
);

export const ORGANISATION_CONSTRAINT_ERRORS: ConstraintErrors = {
  organisations_parent_exists: { ...PARENT, ...NO_ORGANISATION },
  organisations_reseller_exists: { ...RESELLER, ...NO_ORGANISATION },
  organisations_parent_no_circle: { ...PARENT, ...CIRCLE },
  organisations_reseller_no_circle: { ...RESELLER, ...CIRCLE },
  organisations_parent_depth: { ...PARENT, ...TOO_DEEP },
  organisations_reseller_depth: { ...RESELLER, ...TOO_DEEP },
  organisations_not_its_own_parent: {
    ...PARENT,
    ...fieldError('ITSELF', 'An organisation cannot be its own parent.'),
  },
  organisations_not_its_own_reseller: {
    ...RESELLER,
    ...fieldError('ITSELF', 'An organisation cannot be its own reseller.'),
  },
  organisations_root_is_operator: {
    ...PARENT,
    ...fieldError('OPERATOR_ORGANISATION', 'The operator organisation has no parent.'),
  },
  organisations_operator_stays: {
    ...RESELLER,
    ...fieldError('OPERATOR_ORGANISATION', 'The operator organisation has no reseller.'),
  },
  organisations_type_exists: {
    field: 'organisationType',
    ...fieldError('DOES_NOT_EXIST', 'This organisation type does not exist.'),
  },
  organisations_price_group_exists: {
    field: 'pricegroup',
    ...fieldError('DOES_NOT_EXIST', 'This price group does not exist.'),
  },
  organisations_invoice_days_in_order: {
    field: 'invoiceDay',
    ...fieldError('INVALID', 'min and max should be from 1 to 28, min not above max.'),
  },
  organisations_nothing_beneath: {
    reason: 'BAD_REQUEST',
    message: 'The organisation still has organisations beneath it.',
  },
  organisations_no_enabled_users: {
    reason: 'BAD_REQUEST',
    message: 'The organisation still has enabled users.',
  },
};

/** 400: the operator organisation is the root of the tree. */
export const operatorOrganisationNotDeletable = (): BadRequest =>
  new BadRequest('The operator organisation cannot be deleted', 'OPERATOR_ORGANISATION');

/** 400: the organisation has enabled users, or organisations beneath it. */
export const organisationInUse = (reasons: readonly string[]): BadRequest =>
  new BadRequest(`The organisation cannot be deleted: ${reasons.join(' and ')}`, 'IN_USE');
