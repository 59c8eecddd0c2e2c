import type { Test } from 'supertest';
import { asAdmin, type ApiClient } from '../support/service/client';
import { makeCustomer, makeGrant, makeOrganisation, type MadeUser } from '../support/factories/factories';
import { describeService } from '../support/service/service';
import { VARIANTS, type PerVariant } from '../support/service/variants';

interface Refused {
  readonly client: ApiClient;
  readonly of: string;
  readonly user: string;
}

/** What a grantee may not do either, on the routes that not every variant has. */
const MORE_REFUSED: PerVariant<(asked: Refused) => readonly Test[]> = {
  A: ({ client, user }) => [
    client.get(`${user}/apikeys`),
    client.get(`${user}/token2fa`),
    client.get(`${user}/preferences`),
  ],
  B: ({ client, of }) => [
    client.get(`${of}/contacts`),
    client.get(`${of}/notifications`),
    client.post(`${of}/notifications`, { type: 'x', group: 'App' }),
    client.post(`${of}/acls`, { organisation: 1 }),
  ],
};

/** Giving a grant, and taking it back. */
const STATUSES: PerVariant<readonly [number, number]> = { A: [404, 404], B: [201, 204] };

describeService(VARIANTS, 'a grant in Variant %s', (service, variant) => {
  let organisationId: number;
  let plain: MadeUser;
  let grantee: { organisationId: number; custadmin: MadeUser; plain: MadeUser };
  beforeEach(async () => {
    ({ organisationId, plain } = await makeCustomer(service));
    grantee = await makeCustomer(service, { name: 'Webbureau Jansen' });
    // Another customer's grant stands beside every one.
    await makeGrant(service, await makeOrganisation(service), await makeOrganisation(service));
  });

  const grant = () => makeGrant(service, organisationId, grantee.organisationId);

  it('lists and reads the organisation and its users until the very request after its end', async () => {
    const { client } = grantee.plain;
    const of = `/organisations/${organisationId}`;
    const listed = async (): Promise<number[]> => {
      const { body } = await client.get('/organisations').expect(200);
      return (body as { organisations: { id: number }[] }).organisations.map(({ id }) => id);
    };
    const read = async (status: number): Promise<void> => {
      for (const readable of [of, `${of}/users`, `${of}/users/${plain.id}`]) {
        await client.get(readable).expect(status);
      }
    };
    await read(403);
    await grant();
    await read(200);
    expect((await listed()).sort()).toEqual([organisationId, grantee.organisationId].sort());
    await service.sql`DELETE FROM acls WHERE organisation_id = ${organisationId}`;
    await read(403);
    expect(await listed()).toEqual([grantee.organisationId]);
  });

  it('reads, and does nothing else', async () => {
    await grant();
    const of = `/organisations/${organisationId}`;
    const user = `${of}/users/${plain.id}`;
    const body = { name: 'x', taxNumber: 'x' };
    const person = { username: 'x@example.com', firstName: 'x', lastName: 'x' };
    for (const { client } of [grantee.plain, grantee.custadmin]) {
      const refused = [
        client.put(of, body),
        client.patch(of, body),
        client.delete(of),
        client.get(`${of}/organisations`),
        client.get(`${of}/invitations`),
        client.post(`${of}/invitations`, { ...person, email: 'x@example.com' }),
        client.patch(user, person),
        client.delete(user),
        client.post(`${user}/actions`, { type: 'disable' }),
        client.post(`${user}/changepassword`, { oldPassword: 'x', password: 'An0ther-Passw0rd' }),
        client.get(`${user}/contacts`),
        client.post(`${user}/contacts`, { type: 'email', name: 'x@example.com' }),
        client.get(`${user}/sshkeys`),
        client.get(`${of}/teams`),
        client.post(`${of}/teams`, { name: 'x' }),
        ...MORE_REFUSED[variant]({ client, of, user }),
      ];
      for (const request of refused) await request.expect(403);
    }
  });

  it('has the routes that its variant has', async () => {
    const admin = await asAdmin(service);
    const [created, deleted] = STATUSES[variant];
    await admin.post('/organisations/1/acls', { organisation: organisationId }).expect(created);
    await admin.delete(`/organisations/1/acls/${organisationId}`).expect(deleted);
  });
});
