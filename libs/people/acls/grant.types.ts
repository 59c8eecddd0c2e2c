import { type ConstraintErrors, fieldError, limitReached } from '@app/platform/errors/api-error';

/** The rights that a grant can give. */
export const GRANT_ACCESS = ['read', 'manage'] as const;
export type GrantAccess = (typeof GRANT_ACCESS)[number];

/**
 * Maximum grants that an organisation gives and receives, and receives of one customer (rule grants 14).
 * Triggers of the table count them.
 */
export const GRANT_LIMITS = { given: 200, received: 1000, receivedOfCustomer: 200 } as const;

/** An organisation. Its name is empty if it is out of the reader's reach. */
export interface GrantParty {
  readonly id: number;
  readonly name: string;
}

/** Body of POST. */
export interface NewGrant {
  readonly granteeId: number;
  readonly access: GrantAccess;
  /** Unix seconds. */
  readonly expiresAt?: number;
}

/** Body of PUT; undefined leaves a value as it is. */
export interface GrantChanges {
  readonly access?: GrantAccess;
  /** Null removes the end. */
  readonly expiresAt?: number | null;
}

const noLongerThere = {
  reason: 'BAD_REQUEST',
  message: 'The grant or the team does not exist any more.',
} as const;

export const GRANT_CONSTRAINT_ERRORS: ConstraintErrors = {
  acls_limit_of_organisation: limitReached(`An organisation gives at most ${GRANT_LIMITS.given} grants.`),
  acls_limit_of_grantee: limitReached(`An organisation receives at most ${GRANT_LIMITS.received} grants.`),
  acls_limit_of_grantee_from_customer: limitReached(
    `An organisation receives at most ${GRANT_LIMITS.receivedOfCustomer} grants of one customer.`,
  ),
  acls_once: {
    field: 'organisation',
    ...fieldError('ALREADY_TAKEN', 'This organisation has a grant already.'),
  },
  acls_not_to_itself: {
    field: 'organisation',
    reason: 'ITSELF',
    message: 'An organisation cannot grant access to itself.',
  },
  acls_grantee_exists: {
    field: 'organisation',
    reason: 'DOES_NOT_EXIST',
    message: 'This organisation does not exist.',
  },
  acls_organisation_exists: { reason: 'BAD_REQUEST', message: 'The organisation does not exist any more.' },
  acl_teams_of_grantee: noLongerThere,
  acl_teams_acl_exists: noLongerThere,
  acl_teams_team_exists: noLongerThere,
};
