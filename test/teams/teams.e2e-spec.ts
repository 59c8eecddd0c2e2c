import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { addToTeams } from '@app/people/teams/team-membership';
import type { EntityKind } from '@app/records/entities/entity.types';
import { type MadeUser, makeCustomer, makeGrant, makeUser, nextNumber } from '../support/factories/factories';
import { makeTeam, register } from '../support/factories/records';
import { SHARED_VARIANTS } from '../support/generators/sampled';
import { asAdmin } from '../support/service/client';
import { describeSharedService } from '../support/service/shared-services';

type Created = { team: { id: number } };

describeSharedService(SHARED_VARIANTS, '…/teams in Variant %s', (service) => {
  let organisationId: number;
  let custadmin: MadeUser;
  let plain: MadeUser;
  let path: string;
  let other: { organisationId: number; plain: MadeUser; team: number };

  beforeEach(async () => {
    ({ organisationId, custadmin, plain } = await makeCustomer(service));
    path = `/organisations/${organisationId}/teams`;
    const customer = await makeCustomer(service);
    other = { ...customer, team: await makeTeam(service, customer.organisationId) };
  });

  const create = async (body: object): Promise<number> =>
    ((await custadmin.client.post(path, body).expect(201)).body as Created).team.id;

  const registerEntity = (kind: EntityKind, id: number, owner: number): Promise<void> =>
    register(service, {
      kind,
      id,
      name: `${kind}-${id}`,
      organisationId: owner,
      ...(kind === 'mailgroup' && { domains: [] }),
    });

  it('GET …/teams answers the users of a team and what it works on', async () => {
    const id = await create({ name: 'Web' });
    const disabled = await makeUser(service, { organisationId, roles: ['ROLE_APP'], enabled: false });
    for (const userId of [disabled.id, plain.id, plain.id]) {
      await custadmin.client.put(`${path}/${id}/users/${userId}`).expect(204);
    }
    await makeTeam(service, organisationId, { userIds: [custadmin.id] });
    const { body } = await plain.client.get(`${path}/${id}`).expect(200);
    const memberships = await service.sql<{ id: number; user_id: number }>(
      'SELECT id, user_id FROM team_members WHERE team_id = $1 ORDER BY user_id',
      [id],
    );
    const user = (made: MadeUser, roles: string[], status: string) => ({
      id: made.id,
      username: made.username,
      firstName: 'Jan',
      lastName: 'de Vries',
      roles,
      status,
      teamStatus: 'ok',
      userHasTeamId: memberships.find(({ user_id }) => user_id === made.id)?.id,
    });
    expect((body as { team: object }).team).toMatchObject({
      users: [user(plain, [], 'ok'), user(disabled, ['ROLE_APP'], 'deactivated')],
    });
  });

  it('DELETE …/teams/{teamId}/users removes members, and knows who is none', async () => {
    const id = await create({ name: 'Web' });
    await custadmin.client.delete(`${path}/${id}/users/${plain.id}`).expect(404);
    await custadmin.client.put(`${path}/${id}/users/${plain.id}`).expect(204);
    await custadmin.client.delete(`${path}/${id}/users/${plain.id}`).expect(204);
    await custadmin.client.delete(`${path}/${id}/users/${plain.id}`).expect(404);
    await custadmin.client.put(`${path}/${id}/users/${other.plain.id}`).expect(404);
    expect(await service.sql`SELECT 1 FROM team_members WHERE team_id = ${id}`).toEqual([]);
  });

  it('POST and PUT …/teams take a name once for each organisation, without regard to case', async () => {
    await create({ name: 'Web' });
    const mail = await create({ name: 'Mail' });
    for (const request of [
      custadmin.client.post(path, { name: 'WEB' }),
      custadmin.client.put(`${path}/${mail}`, { name: 'wEb' }),
    ]) {
      expect((await request.expect(400)).body).toMatchObject({
        errors: { children: { name: { errors: [expect.any(String)] } } },
      });
    }
    const admin = await asAdmin(service);
    await admin.post(`/organisations/${other.organisationId}/teams`, { name: 'Web' }).expect(201);
  });

  it('GET …/teams carries the domains of a mail group, whose names the csv joins', async () => {
    const id = await create({ name: 'Web' });
    const objectId = nextNumber();
    const domains = ['devries', 'bakkerij'].map((name, index) => ({
      id: index + 1,
      name,
      mailPrimary: index === 0,
      domaintype: { id: 4, name: 'Netherlands', extension: 'nl' },
    }));
    await register(service, { kind: 'mailgroup', id: objectId, name: 'post', organisationId, domains });
    await custadmin.client.post(`${path}/${id}/mailgroups`, { objectId }).expect(201);
    expect((await plain.client.get(`${path}/${id}`).expect(200)).body).toMatchObject({
      team: { teamEntities: { mailgroups: [{ id: objectId, name: 'post', domains }] } },
    });
    const { text } = await plain.client.get(`${path}/${id}?format=csv`).expect(200);
    const [header = '', row = ''] = text.split('\r\n');
    const column = header.split(',').indexOf('teamEntities.mailgroups.domains.name');
    expect(column).toBeGreaterThan(0);
    expect(row.split(',')[column]).toBe('devries;bakkerij');
  });

  it('POST …/teams/{teamId}/systems: a team works on nothing but what its organisation owns or was granted', async () => {
    const id = await create({ name: 'Web' });
    const foreign = nextNumber();
    const unknown = nextNumber();
    await registerEntity('app', foreign, other.organisationId);
    const add = (objectId: number, kind = 'apps') =>
      custadmin.client.post(`${path}/${id}/${kind}`, { objectId });
    for (const objectId of [foreign, unknown]) {
      expect((await add(objectId).expect(400)).body).toMatchObject({
        errors: { children: { objectId: { errors: [expect.any(String)] } } },
      });
    }
    await makeGrant(service, other.organisationId, organisationId);
    // An app is no system, whatever the number.
    await add(foreign, 'systems').expect(400);
    const { body: added } = await add(foreign).expect(201);
    expect((await add(foreign).expect(201)).body).toEqual(added);
    const names = async (): Promise<unknown> => {
      const { body } = await plain.client.get(`${path}/${id}`).expect(200);
      return (body as { team: { teamEntities: { apps: unknown } } }).team.teamEntities.apps;
    };
    expect(await names()).toEqual([{ id: foreign, name: `app-${foreign}` }]);
    // What is out of reach again keeps its place, but its name is another customer's business.
    await service.sql`DELETE FROM acls WHERE grantee_id = ${organisationId}`;
    expect(await names()).toEqual([{ id: foreign, name: '' }]);
  });

  it('POST …/teams/{teamId}/… knows no other kind', async () => {
    const id = await create({ name: 'Web' });
    await custadmin.client.post(`${path}/${id}/printers`, { objectId: 1 }).expect(404);
    await custadmin.client.delete(`${path}/${id}/printers/1`).expect(404);
  });

  it('DELETE …/users: teams lose users who are deleted, even those who join at that moment', async () => {
    const id = await create({ name: 'Web' });
    const user = `/organisations/${organisationId}/users/${plain.id}`;
    await Promise.all([
      custadmin.client.delete(user).expect(204),
      ...Array.from({ length: 15 }, () => custadmin.client.put(`${path}/${id}/users/${plain.id}`)),
    ]);
    expect(await service.sql`SELECT 1 FROM team_members WHERE team_id = ${id}`).toEqual([]);
  });

  it('POST /registerInvitation takes new users into those of its teams that are still there', async () => {
    const web = await makeTeam(service, organisationId);
    const mail = await makeTeam(service, organisationId);
    const { manager } = service.app.get<DataSource>(getDataSourceToken());
    await addToTeams(manager, organisationId, plain.id, []);
    await addToTeams(manager, organisationId, plain.id, [web]);
    await addToTeams(manager, organisationId, plain.id, [mail, web, other.team, 999_999]);
    expect(
      await service.sql`SELECT team_id FROM team_members WHERE user_id = ${plain.id} ORDER BY team_id`,
    ).toEqual([{ team_id: web }, { team_id: mail }]);
  });
});
