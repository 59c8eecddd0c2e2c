import {
  type MadeUser,
  makeCustomer,
  makeGrant,
  makeOrganisation,
  makeUser,
  nextNumber,
} from '../support/factories/factories';
import { makeServiceKey, newPublicKey } from '../support/factories/key-factories';
import { makeTeam, register } from '../support/factories/records';
import { enable, suspend } from '../support/factories/suspensions-factories';
import { type ApiClient, asAdmin } from '../support/service/client';
import { useSharedService } from '../support/service/shared-services';

const service = useSharedService('A');
let admin: ApiClient;
beforeAll(async () => {
  admin = await asAdmin(service);
});

const pathOf = (systemId: number, query = '') => `/entities/systems/${systemId}/authorizedkeys${query}`;

/** The key without its comment. */
async function addKey(user: MadeUser): Promise<{ id: number; line: string }> {
  const content = newPublicKey('anybody@desk');
  const { body } = await admin
    .post(`/organisations/${user.organisationId}/users/${user.id}/sshkeys`, { content })
    .expect(201);
  const [type, blob] = content.split(' ');
  const { sshkey } = body as { sshkey: { id: number } };
  return { id: sshkey.id, line: `${type} ${blob} user:${user.id}\n` };
}

/** A team with the users that holds the system. */
async function addTeam(organisationId: number, systemId: number, users: readonly MadeUser[], adds = true) {
  const teamId = await makeTeam(service, organisationId, { userIds: users.map(({ id }) => id) });
  await service.sql`UPDATE teams SET auto_add_sshkey = ${adds} WHERE id = ${teamId}`;
  await service.sql`INSERT INTO team_entities (team_id, kind, object_id) VALUES (${teamId}, 'systems', ${systemId})`;
  return teamId;
}

async function makeSystem(organisationId: number): Promise<number> {
  const id = 500_000 + nextNumber();
  await register(service, { kind: 'system', id, name: 'web', organisationId, domains: undefined });
  return id;
}

const textOf = async (client: ApiClient, systemId: number, query = ''): Promise<string> => {
  const response = await client.get(pathOf(systemId, query)).expect(200);
  expect(response.headers['content-type']).toBe('text/plain; charset=utf-8');
  return response.text;
};

describe('GET /entities/systems/{entityId}/authorizedkeys: the SSH keys of a system', () => {
  it('are those of its teams that add them, each once, by id', async () => {
    const { organisationId, custadmin, plain } = await makeCustomer(service);
    const bystander = await makeUser(service, { organisationId });
    const systemId = await makeSystem(organisationId);
    expect(await textOf(custadmin.client, systemId)).toBe('');
    const keys = [await addKey(plain), await addKey(custadmin), await addKey(plain)];
    await addKey(bystander);
    await addTeam(organisationId, systemId, [plain, custadmin]);
    await addTeam(organisationId, systemId, [plain]);
    await addTeam(organisationId, systemId, [bystander], false);
    await addTeam(organisationId, systemId + 1_000_000, [bystander]);
    const all = keys.map(({ line }) => line).join('');
    expect(await textOf(custadmin.client, systemId)).toBe(all);
    expect(
      await textOf(custadmin.client, systemId, `?user=${encodeURIComponent(plain.username.toUpperCase())}`),
    ).toBe(`${keys[0]?.line}${keys[2]?.line}`);
    for (const nobody of ['', 'nobody', `${plain.username}%`])
      expect(await textOf(custadmin.client, systemId, `?user=${encodeURIComponent(nobody)}`)).toBe('');
    await custadmin.client.get(pathOf(systemId, '?user=a&user=b')).expect(400);
    await custadmin.client.get(pathOf(systemId, '?user=%00')).expect(400);
  });

  it('are gone with the user, the suspension and the grant, and come back with them', async () => {
    const owner = await makeOrganisation(service);
    const { organisationId, plain } = await makeCustomer(service);
    const systemId = await makeSystem(owner);
    const { line } = await addKey(plain);
    const grantId = await makeGrant(service, owner, organisationId, { access: 'manage' });
    const teamId = await addTeam(organisationId, systemId, [plain]);
    await service.sql`INSERT INTO acl_teams (acl_id, team_id) VALUES (${grantId}, ${teamId})`;
    expect(await textOf(admin, systemId)).toBe(line);
    await service.sql`UPDATE users SET enabled = false WHERE id = ${plain.id}`;
    expect(await textOf(admin, systemId)).toBe('');
    await service.sql`UPDATE users SET enabled = true WHERE id = ${plain.id}`;
    await suspend(admin, organisationId);
    expect(await textOf(admin, systemId)).toBe('');
    await enable(admin, organisationId);
    expect(await textOf(admin, systemId)).toBe(line);
    await service.sql`DELETE FROM acls WHERE organisation_id = ${owner}`;
    expect(await textOf(admin, systemId)).toBe('');
  });

  it('are those of an agency that manages by a team, but while the owner is suspended', async () => {
    const { organisationId } = await makeCustomer(service);
    const agency = await makeCustomer(service);
    const systemId = await makeSystem(organisationId);
    const { line } = await addKey(agency.plain);
    const teamId = await addTeam(agency.organisationId, systemId, [agency.plain]);
    const grantId = await makeGrant(service, organisationId, agency.organisationId, { access: 'manage' });
    expect(await textOf(admin, systemId)).toBe('');
    await service.sql`INSERT INTO acl_teams (acl_id, team_id) VALUES (${grantId}, ${teamId})`;
    expect(await textOf(admin, systemId)).toBe(line);
    await suspend(admin, organisationId);
    expect(await textOf(admin, systemId)).toBe('');
    await enable(admin, organisationId);
    expect(await textOf(admin, systemId)).toBe(line);
  });

  it('are told to managers of the owner, and to service keys with the operation', async () => {
    const above = await makeCustomer(service);
    const { organisationId, custadmin, plain } = await makeCustomer(service, {
      parentId: above.organisationId,
    });
    const systemId = await makeSystem(organisationId);
    const operations = ['systems.authorizedKeys'];
    const own = await makeServiceKey(service, organisationId, { operations });
    const wide = await makeServiceKey(service, above.organisationId, { operations, beneath: true });
    for (const { client } of [custadmin, above.custadmin, own, wide])
      await client.get(pathOf(systemId)).expect(200);
    const narrow = await makeServiceKey(service, above.organisationId, { operations });
    const other = await makeServiceKey(service, organisationId, { operations: ['systems.*', 'users.list'] });
    await other.client.get(pathOf(systemId)).expect(200);
    const without = await makeServiceKey(service, organisationId, { operations: ['users.list'] });
    const elsewhere = await makeCustomer(service);
    for (const { client } of [narrow, without, elsewhere.custadmin, above.plain])
      await client.get(pathOf(systemId)).expect(403);
    const { body } = await plain.client.get(pathOf(systemId)).expect(500);
    expect(body).toMatchObject({ reason: 'ROLE_REQUIRED' });
    for (const id of [systemId + 1_000_000, 'x', 0])
      await custadmin.client.get(pathOf(id as number)).expect(404);
    await register(service, {
      kind: 'app',
      id: systemId + 2_000_000,
      name: 'a',
      organisationId,
      domains: undefined,
    });
    await custadmin.client.get(pathOf(systemId + 2_000_000)).expect(404);
    // Between the end of an organisation and that of its register nobody owns the system.
    await service.sql`UPDATE users SET enabled = false WHERE organisation_id = ${organisationId}`;
    await service.sql`UPDATE organisations SET deleted_at = now() WHERE id = ${organisationId}`;
    for (const client of [elsewhere.custadmin.client, admin]) await client.get(pathOf(systemId)).expect(404);
  });

  it('are sent whole where there are many', async () => {
    const { organisationId, custadmin, plain } = await makeCustomer(service);
    const systemId = await makeSystem(organisationId);
    await addTeam(organisationId, systemId, [plain]);
    await service.sql('ALTER TABLE ssh_keys DISABLE TRIGGER ssh_keys_limit_of_user');
    await service.sql`INSERT INTO ssh_keys (user_id, description, type, blob, bits, comment, fingerprint, key_digest)
      SELECT ${plain.id}, 'key', 'ssh-rsa', decode(repeat(md5(n::text), 32), 'hex'), 4096, '', 'aa', sha256(n::text::bytea)
      FROM generate_series(1, 3000) n`;
    const text = await textOf(custadmin.client, systemId);
    expect(text.length).toBeGreaterThan(1_500_000);
    const lines = text.split('\n');
    expect(lines).toHaveLength(3001);
    expect(new Set(lines).size).toBe(3001);
    expect(lines.every((line) => line === '' || /^ssh-rsa \S+ user:\d+$/.test(line))).toBe(true);
  });
});
