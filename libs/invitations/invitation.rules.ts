import type { EntityManager } from 'typeorm';
import { isSuspended } from '@app/access/suspended';
import { validateRoles, rolesOf } from '@app/core/access/role-grants';
import type { Role } from '@app/core/access/roles';
import { MAX_INTEGER } from '@app/core/wire/field.decorators';

/**
 * The organisation's name while it lives, undefined once it is deleted. The shared lock makes a concurrent
 * deletion wait, and is taken before any lock on an invitation, in the order in which a deletion takes them.
 */
export async function lockLiveOrganisation(manager: EntityManager, id: number): Promise<string | undefined> {
  const [organisation] = await manager.query<{ name: string }[]>(
    `SELECT name FROM organisations WHERE id = $1 AND deleted_at IS NULL FOR SHARE`,
    [id],
  );
  return organisation?.name;
}

/** Whether the address is the name of a user of any organisation. */
export async function belongsToUser(manager: EntityManager, email: string): Promise<boolean> {
  const users = await manager.query<object[]>(
    `SELECT 1 FROM users WHERE lower(username) = lower($1) AND deleted_at IS NULL`,
    [email],
  );
  return users.length > 0;
}

/**
 * Makes room for a new invitation of an address: its expired one is closed. An open one stays, and then the
 * unique index refuses the new one.
 */
export async function closeExpired(
  manager: EntityManager,
  organisationId: number,
  email: string,
): Promise<void> {
  await manager.query(
    `UPDATE invitations SET deleted_at = now()
     WHERE organisation_id = $1 AND lower(email) = lower($2) AND accepted_at IS NULL AND deleted_at IS NULL
       AND expires_at <= now()`,
    [organisationId, email],
  );
}

/** The teams of the organisation that the texts name, and the texts that name none. */
export async function teamsNamed(
  manager: EntityManager,
  organisationId: number,
  texts: readonly string[],
): Promise<{ ids: number[]; unknown: string[] }> {
  const idOf = (text: string): number => (/^\d{1,10}$/.test(text) ? Number(text) : Number.NaN);
  const asked = texts.map(idOf).filter((id) => id <= MAX_INTEGER);
  const teams = await manager.query<{ id: number }[]>(
    `SELECT id FROM teams WHERE organisation_id = $1 AND id = ANY ($2::integer[]) ORDER BY id`,
    [organisationId, asked],
  );
  const ids = teams.map(({ id }) => id);
  return { ids, unknown: texts.filter((text) => !ids.includes(idOf(text))) };
}

/**
 * Those of the roles that the inviter could give right now: enabled, not suspended, and a manager with the organisation
 * in reach (decisions.md sections 3 and 10). None, where the inviter is no such manager any more.
 */
export async function rolesStillGiven(
  manager: EntityManager,
  inviterId: number,
  organisationId: number,
  roles: readonly Role[],
): Promise<Role[]> {
  if (roles.length === 0) return [];
  const [inviter] = await manager.query<{ roles: Role[]; within: boolean }[]>(
    `SELECT u.roles, u.organisation_id = $2 OR EXISTS (SELECT 1 FROM organisation_closure
       WHERE ancestor_id = u.organisation_id AND descendant_id = $2) AS within
     FROM users u JOIN organisations o ON o.id = u.organisation_id AND o.deleted_at IS NULL
     WHERE u.id = $1 AND u.enabled AND u.deleted_at IS NULL AND NOT ${isSuspended('o.id')}
     FOR SHARE OF u`,
    [inviterId, organisationId],
  );
  if (inviter === undefined) return [];
  const manages =
    inviter.roles.includes('ROLE_ADMIN') || (inviter.roles.includes('ROLE_CUSTADMIN') && inviter.within);
  if (!manages) return [];
  return rolesOf(roles.filter((role) => validateRoles(inviter, organisationId, [role]) === undefined));
}
