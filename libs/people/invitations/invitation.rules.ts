import type { EntityManager } from 'typeorm';
import { rolesOf, validateRoles } from '@app/people/users/given-roles';
import { isUnavailable } from '@app/people/users/unavailable-names';
import { MAX_INTEGER } from '@app/platform/dto/coercion';
import { NotFound } from '@app/platform/errors/api-error';
import { isSuspended } from '@app/security/access/access.queries';
import type { Role } from '@app/security/access/roles';
import { Invitation } from './invitation.entity';
import { type AcceptedInvitation, invitationNotOpen } from './invitation.types';

const LOCK_LIVE_ORGANISATION = `SELECT name FROM organisations WHERE id = $1 AND deleted_at IS NULL FOR SHARE`;

/**
 * The organisation's name; undefined if it is deleted. The shared lock makes a concurrent deletion wait. Take
 * it before any lock on an invitation, in the same order as a deletion.
 */
export async function lockLiveOrganisation(manager: EntityManager, id: number): Promise<string | undefined> {
  const [organisation] = await manager.query<{ name: string }[]>(LOCK_LIVE_ORGANISATION, [id]);
  return organisation?.name;
}

const IS_UNAVAILABLE = `SELECT ${isUnavailable('$1')} AS "isUnavailable"`;

/**
 * Whether the address is the name of a user of any organisation: unverified names are free (rule recovery
 * 31).
 */
export async function belongsToUser(manager: EntityManager, email: string): Promise<boolean> {
  const [address] = await manager.query<{ isUnavailable: boolean }[]>(IS_UNAVAILABLE, [email]);
  return address?.isUnavailable === true;
}

const CLOSE_EXPIRED = `
  UPDATE invitations SET deleted_at = now()
  WHERE organisation_id = $1 AND fold_case(email) = fold_case($2) AND accepted_at IS NULL AND deleted_at IS NULL
    AND expires_at <= now()`;

/**
 * Closes the expired invitation of an address, to make room for a new one. The unique index
 * refuses a second open one.
 */
export async function closeExpired(
  manager: EntityManager,
  organisationId: number,
  email: string,
): Promise<void> {
  await manager.query(CLOSE_EXPIRED, [organisationId, email]);
}

const IS_EXPIRED = 'SELECT expires_at <= now() AS expired FROM invitations WHERE id = $1';

export async function isExpired(manager: EntityManager, id: number): Promise<boolean> {
  const [row] = await manager.query<{ expired: boolean }[]>(IS_EXPIRED, [id]);
  return row?.expired === true;
}

/** Locks an unused invitation. */
export async function lockUnused(
  manager: EntityManager,
  organisationId: number,
  id: number,
): Promise<Invitation> {
  const invitation = await manager.findOne(Invitation, {
    where: { id, organisationId },
    lock: { mode: 'pessimistic_write' },
  });
  if (invitation === null || invitation.deletedAt !== null) throw new NotFound('Invitation');
  if (invitation.acceptedAt !== null) throw invitationNotOpen('accepted');
  return invitation;
}

const TEAMS_OF = `SELECT id FROM teams WHERE organisation_id = $1 AND id = ANY ($2::integer[]) ORDER BY id`;

/** The texts that are ids of the organisation's teams, and the remaining texts. */
export async function teamsNamed(
  manager: EntityManager,
  organisationId: number,
  texts: readonly string[],
): Promise<{ ids: number[]; unknown: string[] }> {
  const idOf = (text: string): number => (/^\d{1,10}$/.test(text) ? Number(text) : Number.NaN);
  const asked = texts.map(idOf).filter((id) => id <= MAX_INTEGER);
  const teams = await manager.query<{ id: number }[]>(TEAMS_OF, [organisationId, asked]);
  const ids = teams.map(({ id }) => id);
  return { ids, unknown: texts.filter((text) => !ids.includes(idOf(text))) };
}

/** The present rights of the inviter. */
interface Inviter {
  readonly roles: readonly Role[];
  readonly within: boolean;
}

/** The user $1, and whether the organisation $2 is in the user's reach. */
const INVITING_USER = `
  SELECT u.roles, u.organisation_id = $2 OR EXISTS (SELECT 1 FROM organisation_closure
    WHERE ancestor_id = u.organisation_id AND descendant_id = $2) AS within
  FROM users u JOIN organisations o ON o.id = u.organisation_id AND o.deleted_at IS NULL
  WHERE u.id = $1 AND u.enabled AND u.deleted_at IS NULL AND NOT ${isSuspended('o.id')}
  FOR SHARE OF u`;

/**
 * For an invitation by a service key: organisation $1, unless it is suspended, and whether
 * organisation $2 is in its reach.
 */
const INVITING_ORGANISATION = `
  SELECT ARRAY['ROLE_CUSTADMIN'] AS roles, o.id = $2 OR EXISTS (SELECT 1 FROM organisation_closure
    WHERE ancestor_id = o.id AND descendant_id = $2) AS within
  FROM organisations o WHERE o.id = $1 AND o.deleted_at IS NULL AND NOT ${isSuspended('o.id')}`;

/**
 * The roles that the inviter may still give (rule users 19, rule users 32). The inviter must be enabled,
 * not suspended, and a manager who reaches the organisation. For an invitation by a service key, the key's
 * organisation takes the place of the inviter.
 */
export async function rolesStillGiven(
  manager: EntityManager,
  invitation: Pick<AcceptedInvitation, 'inviterId' | 'inviterOrganisationId' | 'autoRoles'>,
  organisationId: number,
): Promise<Role[]> {
  const { inviterId, inviterOrganisationId, autoRoles: roles } = invitation;
  if (roles.length === 0) return [];
  const [inviter] =
    inviterId === null
      ? await manager.query<Inviter[]>(INVITING_ORGANISATION, [inviterOrganisationId, organisationId])
      : await manager.query<Inviter[]>(INVITING_USER, [inviterId, organisationId]);
  if (inviter === undefined) return [];
  const manages =
    inviter.roles.includes('ROLE_ADMIN') || (inviter.roles.includes('ROLE_CUSTADMIN') && inviter.within);
  if (!manages) return [];
  return rolesOf(roles.filter((role) => validateRoles(inviter, organisationId, [role]) === undefined));
}
