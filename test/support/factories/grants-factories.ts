import type { TestService } from '../service/service';
import type { Customer } from './factories';
import { makeTeam } from './records';

/**
 * Makes the grants of a random world differ: what they are for, for which teams, where a second factor is
 * demanded, ended ones. Returns the teams.
 */
export async function varyGrants(service: TestService): Promise<{ id: number; organisationId: number }[]> {
  const teams: { id: number; organisationId: number }[] = [];
  await service.sql`UPDATE acls SET access = 'manage' WHERE id % 3 <> 0`;
  const narrowed = await service.sql<{ id: number; granteeId: number; userIds: number[] }>`
    SELECT a.id, a.grantee_id AS "granteeId",
      ARRAY(SELECT u.id FROM users u WHERE u.organisation_id = a.grantee_id AND u.id % 2 = 0) AS "userIds"
    FROM acls a WHERE a.id % 2 = 0 ORDER BY a.id`;
  for (const { id, granteeId, userIds } of narrowed) {
    const teamId = await makeTeam(service, granteeId, { userIds });
    await service.sql`INSERT INTO acl_teams (acl_id, team_id) VALUES (${id}, ${teamId})`;
    teams.push({ id: teamId, organisationId: granteeId });
  }
  await service.sql`UPDATE organisations SET required_2fa = true WHERE id % 3 = 0`;
  await service.sql`UPDATE users SET second_factor = 'enabled', totp_secret = 'x' WHERE id % 4 = 0`;
  await service.sql`UPDATE acls SET expires_at = now() - interval '1 second' WHERE id % 7 = 0`;
  return teams;
}

/** Lets the agency manage the grantor. Returns the id of the grant. */
export async function letManage({
  grantor,
  agency,
}: {
  readonly grantor: Customer;
  readonly agency: Customer;
}): Promise<number> {
  const { body } = await grantor.custadmin.client
    .post(`/organisations/${grantor.organisationId}/grants`, {
      organisation: agency.organisationId,
      access: 'manage',
    })
    .expect(201);
  return (body as { grant: { id: number } }).grant.id;
}
