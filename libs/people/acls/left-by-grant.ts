import type { EntityManager } from 'typeorm';
import { alphabetical } from '@app/platform/lists/columns';

/** Names of each kind in one notification. */
const MOST_NAMED = 20;

/** SQL for the first names of a table in their order, and how many more there are. */
const named = (name: string, from: string): string => `(
    SELECT nullif(coalesce(array_agg(found.name ORDER BY found.place) FILTER (WHERE found.place <= ${MOST_NAMED}), '{}')
      || CASE WHEN count(*) > ${MOST_NAMED} THEN ARRAY['+ ' || count(*) - ${MOST_NAMED}] ELSE '{}'::text[] END, '{}')
    FROM (SELECT ${name}::text AS name, row_number() OVER (ORDER BY ${alphabetical(name)}) AS place FROM ${from}) found)`;

/** What is still there of the work of the grant $1 in the organisation $2. */
const LEFT = `SELECT
  ${named('c.name', 'contacts c WHERE c.grant_id = $1 AND c.organisation_id = $2')} AS "contactsOfGrant",
  ${named('u.username', 'users u WHERE u.grant_id = $1 AND u.organisation_id = $2 AND u.deleted_at IS NULL')} AS "usersOfGrant"`;

interface LeftByGrant {
  readonly contactsOfGrant?: readonly string[];
  readonly usersOfGrant?: readonly string[];
}

/**
 * What the news of a grant's end tells its giver: contacts that were made by it, and users who
 * registered by its invitations.
 */
export async function leftByGrant(
  manager: EntityManager,
  grantId: number,
  organisationId: number,
): Promise<LeftByGrant> {
  const [left] = await manager.query<Record<keyof LeftByGrant, string[] | null>[]>(LEFT, [
    grantId,
    organisationId,
  ]);
  return {
    ...(left?.contactsOfGrant && { contactsOfGrant: left.contactsOfGrant }),
    ...(left?.usersOfGrant && { usersOfGrant: left.usersOfGrant }),
  };
}
