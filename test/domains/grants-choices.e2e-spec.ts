import { VARIANTS } from '../../qa/variants';
import type { MadeUser } from '../support/factories/factories';
import { inviteBy, makeManaged, type Managed, register } from '../support/factories/grant-people-factories';
import { makeApiKey } from '../support/factories/key-factories';
import { makeTeam } from '../support/factories/records';
import { describeSharedService } from '../support/service/shared-services';

/** rule grants 85: the people of an organisation choose who belongs to it, and who manages it. */
describeSharedService(VARIANTS, 'people whom a grantee chose in Variant %s', (service) => {
  let managed: Managed;
  let chosen: MadeUser;
  beforeEach(async () => {
    managed = await makeManaged(service);
    chosen = await register(service, await inviteBy(managed.agency.custadmin, managed.giver.organisationId));
  });

  it('confirm neither themselves nor others, although they manage', async () => {
    const { giver, of } = managed;
    const other = await register(
      service,
      await inviteBy(managed.agency.custadmin, managed.giver.organisationId),
    );
    await service.sql`UPDATE users SET roles = '{ROLE_CUSTADMIN}' WHERE id = ${chosen.id}`;
    const confirmed = async () =>
      service.sql`SELECT id FROM users WHERE id IN (${chosen.id}, ${other.id}) AND confirmed_at IS NOT NULL`;
    const team = `${of}/teams/${await makeTeam(service, giver.organisationId)}/users`;
    const key = await makeApiKey(service, chosen.id);
    for (const client of [chosen.client, key.client])
      for (const { id } of [chosen, other]) {
        await client.put(`${team}/${id}`).expect(204);
        await client.delete(`${team}/${id}`).expect(204);
      }
    const names = { username: other.username, firstName: 'Eva', lastName: 'Maes' };
    await chosen.client.patch(`${of}/users/${other.id}`, { ...names, defaultRoles: '' }).expect(204);
    expect(await confirmed()).toEqual([]);
    await giver.custadmin.client.put(`${team}/${chosen.id}`).expect(204);
    expect(await confirmed()).toEqual([{ id: chosen.id }]);
    await chosen.client.put(`${team}/${other.id}`).expect(204);
    expect(await confirmed()).toHaveLength(2);
  });

  it('include no manager whose invitation the grantee took back', async () => {
    const { giver, agency, of } = managed;
    for (const [role, status] of [
      ['ROLE_CUSTADMIN', 403],
      ['ROLE_DOMAIN', 204],
    ] as const) {
      const { id } = await inviteBy(giver.custadmin, giver.organisationId);
      await service.sql`UPDATE invitations SET auto_roles = ARRAY[${role}] WHERE id = ${id}`;
      const answer = await agency.custadmin.client.delete(`${of}/invitations/${id}`).expect(status);
      if (status === 403) expect(answer.body).toMatchObject({ reason: 'GRANT_DOES_NOT_COVER' });
      await giver.custadmin.client.delete(`${of}/invitations/${id}`).expect(status === 403 ? 204 : 404);
    }
  });
});
