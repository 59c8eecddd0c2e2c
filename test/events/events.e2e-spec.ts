import type { Test } from 'supertest';
import { eventRecord } from '../../qa/responses';
import { PDF } from '../support/factories/documents-factories';
import {
  makeCustomer,
  makeOrganisation,
  makeUser,
  nextNumber,
  PASSWORD,
} from '../support/factories/factories';
import { makeInvitation, registrationOf } from '../support/factories/invitations-factories';
import { makeServiceKey, newPublicKey } from '../support/factories/key-factories';
import { makeContact, makeTeam } from '../support/factories/records';
import { pathOf } from '../support/factories/users-factories';
import { SHARED_VARIANTS } from '../support/generators/sampled';
import { anonymous, type ApiClient, asAdmin, failingFields } from '../support/service/client';
import { describeSharedService } from '../support/service/shared-services';

interface Event {
  readonly type: string;
  readonly timestamp: string;
  readonly data: {
    readonly id: number;
    readonly kind: string;
    readonly organisationId: number;
    readonly recordId: number;
    readonly actor: { readonly type: string; readonly id: number };
    readonly changed: readonly string[];
  };
}

interface Feed {
  readonly events: readonly Event[];
  readonly next: string;
}

type Customer = Awaited<ReturnType<typeof makeCustomer>>;

/** What a test expects of an event. */
type Told = readonly [type: string, recordId: number, changed: readonly string[]];

describeSharedService(SHARED_VARIANTS, 'GET …/events in Variant %s', (service, variant) => {
  let admin: ApiClient;
  beforeAll(async () => {
    admin = await asAdmin(service);
  });
  let reseller: Customer;
  let customer: Customer;
  let base: string;
  let users: string;

  beforeAll(async () => {
    reseller = await makeCustomer(service);
    customer = await makeCustomer(service, { resellerId: reseller.organisationId });
    base = `/organisations/${customer.organisationId}`;
    users = pathOf(customer.plain);
    // Another customer's events stand beside every one.
    const other = await makeCustomer(service);
    await other.custadmin.client.post(`/organisations/${other.organisationId}/teams`, { name: 'Other' });
  });

  const feedOf = async (query = '', of = customer.organisationId, client = admin): Promise<Feed> =>
    (await client.get(`/organisations/${of}/events?${query}`).expect(200)).body as Feed;

  const endOf = async (of?: number, query = ''): Promise<string> =>
    (await feedOf(`limit=0${query}`, of)).next;

  /** The events that a request causes, as the feed of an organisation tells them. */
  const causedBy = async (call: () => Test, of?: number, query = ''): Promise<readonly Event[]> => {
    const before = await endOf(of, query);
    const { status } = await call();
    expect(status).toBeLessThan(300);
    return (await feedOf(`limit=0${query}&after=${before}`, of)).events;
  };

  const told = ({ type, data }: Event): Told => [type, data.recordId, data.changed];

  /** Names and tax numbers are needed: they stay as they are. */
  const patched = async (client: ApiClient, id: number, fields: object): Promise<() => Test> => {
    const [row] = await service.sql`SELECT name, tax_number FROM organisations WHERE id = ${id}`;
    const body = { name: row?.['name'], taxNumber: row?.['tax_number'], ...fields };
    return () => client.patch(`/organisations/${id}`, body);
  };

  const idIn = (body: unknown): number => {
    const [record] = Object.values(body as Record<string, { id: number }>);
    return record?.id ?? 0;
  };

  const latestId = async (table: string): Promise<number> => {
    const [row] = await service.sql<{ id: number }>(`SELECT max(id) AS id FROM ${table}`);
    return row?.id as number;
  };

  it('says what was done to which record, when and by whom, and no values', async () => {
    const began = Date.now();
    const [event, ...more] = await causedBy(() =>
      customer.custadmin.client.patch(users, {
        username: customer.plain.username,
        firstName: 'Piet',
        lastName: 'Jansen',
      }),
    );
    expect(more).toEqual([]);
    expect(event).toEqual(
      eventRecord(
        'users.updated',
        {
          id: expect.any(Number) as number,
          organisationId: customer.organisationId,
          recordId: customer.plain.id,
          actor: { type: 'user', id: customer.custadmin.id },
          changed: ['firstName', 'lastName'],
        },
        expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
      ),
    );
    expect(Math.abs(Date.parse(event?.timestamp ?? '') - began)).toBeLessThan(60_000);
    const [row] = await service.sql`SELECT action, record_id FROM audit_log WHERE id = ${event?.data.id}`;
    expect(row).toEqual({ action: 'update', record_id: customer.plain.id });
  });

  describe('each change has its event', () => {
    const change = async (call: () => Test): Promise<Told[]> => (await causedBy(call)).map(told);

    it('of an organisation', async () => {
      const before = await endOf(reseller.organisationId, '&beneath=true');
      const body = { name: `New ${nextNumber()}`, taxNumber: `NL${nextNumber()}`, country: 'NL' };
      const { body: made } = await reseller.custadmin.client.post('/organisations', body).expect(201);
      const id = idIn(made);
      await (await patched(reseller.custadmin.client, id, { city: 'Gent' }))().expect(204);
      await reseller.custadmin.client.delete(`/organisations/${id}`).expect(204);
      const { events } = await feedOf(`limit=0&beneath=true&after=${before}`, reseller.organisationId);
      expect(events.map(({ type, data }) => [type, data.recordId, data.organisationId])).toEqual(
        ['created', 'updated', 'deleted'].map((verb) => [`organisations.${verb}`, id, id]),
      );
      expect(events[0]?.data.changed).toEqual(expect.arrayContaining(['name', 'taxNumber']));
      expect(events.slice(1).map(({ data }) => data.changed)).toEqual([['city'], []]);
    });

    it('of a contact', async () => {
      const { client } = customer.plain;
      const created = await change(() =>
        client.post(`${users}/contacts`, { type: 'email', name: `c${nextNumber()}@example.com` }),
      );
      const id = await latestId('contacts');
      expect(created).toEqual([
        ['contacts.created', id, ['dtCreated', 'name', 'preferences', 'type', 'userId']],
      ]);
      const path = `${users}/contacts/${id}`;
      expect(
        await change(() =>
          client.put(path, { type: 'email', name: `d${nextNumber()}@example.com`, preferences: 'Mail' }),
        ),
      ).toEqual([['contacts.updated', id, ['name', 'preferences']]]);
      expect(await change(() => client.delete(path))).toEqual([['contacts.deleted', id, []]]);
    });

    it('of a team, its members and what it works on', async () => {
      const { client } = customer.custadmin;
      const created = await change(() => client.post(`${base}/teams`, { name: `Team ${nextNumber()}` }));
      const id = await latestId('teams');
      const team = `${base}/teams/${id}`;
      expect(created).toEqual([['teams.created', id, ['adminOnly', 'autoAddSshkey', 'dtCreated', 'name']]]);
      expect(await change(() => client.put(team, { name: 'Web' }))).toEqual([
        ['teams.updated', id, ['name']],
      ]);
      const member = `${team}/users/${customer.plain.id}`;
      expect(await change(() => client.put(member))).toEqual([['teams.updated', id, ['users']]]);
      expect(await change(() => client.delete(member))).toEqual([['teams.updated', id, ['users']]]);
      const objectId = nextNumber();
      await admin
        .put(`/entities/apps/${objectId}`, { name: 'App', organisationId: customer.organisationId })
        .expect(204);
      expect(await change(() => client.post(`${team}/apps`, { objectId }))).toEqual([
        ['teams.updated', id, ['entities']],
      ]);
      expect(await change(() => client.delete(team))).toEqual([['teams.deleted', id, []]]);
    });

    it('of an invitation, and of the user that it makes', async () => {
      const { client } = customer.custadmin;
      const invited = { email: `new${nextNumber()}@example.com`, firstName: 'A', lastName: 'B' };
      const created = await change(() => client.post(`${base}/invitations`, invited));
      const id = await latestId('invitations');
      expect(created).toEqual([['invitations.created', id, expect.arrayContaining(['email', 'dtExpires'])]]);
      const path = `${base}/invitations/${id}`;
      expect(await change(() => client.put(path, { ...invited, firstName: 'C' }))).toEqual([
        ['invitations.updated', id, ['firstName']],
      ]);
      expect(await change(() => client.delete(path))).toEqual([['invitations.deleted', id, []]]);
      const invitation = await makeInvitation(service, {
        organisationId: customer.organisationId,
        inviterId: 1,
      });
      const events = await causedBy(() =>
        anonymous(service).post(
          `/registerInvitation/${invitation.token}`,
          registrationOf(invitation, PASSWORD),
        ),
      );
      const userId = await latestId('users');
      expect(events.map(told)).toEqual(
        expect.arrayContaining([
          ['users.created', userId, expect.arrayContaining(['username', 'password'])],
          ['invitations.updated', invitation.id, ['dtAccepted']],
        ]),
      );
      expect(new Set(events.map(({ data }) => JSON.stringify(data.actor)))).toEqual(
        new Set(['{"type":"invitation","id":0}']),
      );
    });

    it('of a user, with what goes with it', async () => {
      const user = await makeUser(service, { organisationId: customer.organisationId });
      const contact = await makeContact(service, {
        organisationId: customer.organisationId,
        userId: user.id,
      });
      const { client } = customer.custadmin;
      expect(await change(() => client.post(`${pathOf(user)}/actions`, { type: 'disable' }))).toEqual([
        ['users.updated', user.id, ['status']],
      ]);
      const deleted = await change(() => client.delete(pathOf(user)));
      expect(deleted).toEqual(
        expect.arrayContaining([
          ['users.deleted', user.id, []],
          ['contacts.deleted', contact, []],
        ]),
      );
    });

    it('of SSH keys of a user and of the organisation', async () => {
      for (const [path, client] of [
        [`${users}/sshkeys`, customer.plain.client],
        [`${base}/sshkeys`, customer.custadmin.client],
      ] as const) {
        const created = await change(() => client.post(path, { content: newPublicKey('a') }));
        const id = await latestId('ssh_keys');
        expect(created).toEqual([['sshkeys.created', id, expect.arrayContaining(['fingerprint'])]]);
        expect(
          await change(() => client.put(`${path}/${id}`, { content: newPublicKey('a'), description: 'b' })),
        ).toEqual([['sshkeys.updated', id, expect.arrayContaining(['description', 'fingerprint'])]]);
        expect(await change(() => client.delete(`${path}/${id}`))).toEqual([['sshkeys.deleted', id, []]]);
      }
    });

    it('of a service key', async () => {
      const { client } = customer.custadmin;
      const path = `${base}/servicekeys`;
      const body = { name: 'Name server', operations: ['users.list'] };
      const created = await change(() => client.post(path, body));
      const id = await latestId('service_keys');
      // `asAdmin` is for admins.
      expect(created).toEqual([
        ['servicekeys.created', id, ['beneath', 'dtCreated', 'dtExpires', 'name', 'operations', 'whitelist']],
      ]);
      expect(
        await change(() =>
          client.put(`${path}/${id}`, { ...body, operations: ['users.read'], beneath: true }),
        ),
      ).toEqual([['servicekeys.updated', id, ['beneath', 'operations']]]);
      const rotated = await change(() => client.post(`${path}/${id}/rotate`, { oldKeyHours: 1 }));
      expect(rotated.map(([type]) => type).sort()).toEqual(['servicekeys.created', 'servicekeys.updated']);
      expect(await change(() => client.delete(`${path}/${id}`))).toEqual([['servicekeys.deleted', id, []]]);
    });

    it('of a suspension, by the organisation', async () => {
      const { organisationId } = customer;
      const { client } = reseller.custadmin;
      expect(
        await change(() =>
          client.post(`${base}/actions`, { type: 'disable', reason: 'unpaid', withSubOrganisations: true }),
        ),
      ).toEqual([['suspensions.created', organisationId, ['itself', 'since', 'withSubOrganisations']]]);
      expect(await change(() => client.post(`${base}/actions`, { type: 'enable' }))).toEqual([
        ['suspensions.deleted', organisationId, []],
      ]);
    });

    it('of a document', async () => {
      const id = 5_000_000 + nextNumber();
      const path = `${base}/documents/${id}`;
      const hand = (name: string): Test =>
        admin.put(`${path}?name=${name}`).set('Content-Type', 'application/pdf').send(PDF);
      expect(await change(() => hand('Invoice'))).toEqual([
        ['documents.created', id, expect.arrayContaining(['name', 'pdfSha256'])],
      ]);
      expect(await change(() => hand('Credit'))).toEqual([['documents.updated', id, ['name']]]);
      expect(await change(() => admin.delete(path))).toEqual([['documents.deleted', id, []]]);
    });

    if (variant === 'A') {
      it('of an API key', async () => {
        const { client } = customer.plain;
        const created = await change(() => client.post(`${users}/apikeys`, { name: 'robot', whitelist: [] }));
        const id = await latestId('api_keys');
        const path = `${users}/apikeys/${id}`;
        expect(created).toEqual([['apikeys.created', id, expect.arrayContaining(['dtExpires', 'name'])]]);
        expect(await change(() => client.put(path, { name: 'robot', whitelist: ['192.0.2.1'] }))).toEqual([
          ['apikeys.updated', id, ['whitelist']],
        ]);
        const rotated = await change(() => client.post(`${path}/rotate`, { oldKeyHours: 1 }));
        expect(rotated.map(([type]) => type).sort()).toEqual(['apikeys.created', 'apikeys.updated']);
        expect(await change(() => client.delete(path))).toEqual([['apikeys.deleted', id, []]]);
      });
    } else {
      it('of a grant, by the organisation that may read', async () => {
        const grantee = await makeOrganisation(service);
        expect(await change(() => admin.post(`${base}/acls`, { organisation: grantee }))).toEqual([
          ['acls.created', grantee, ['access', 'dtCreated', 'onlyTeams', 'organisation']],
        ]);
        expect(await change(() => admin.delete(`${base}/acls/${grantee}`))).toEqual([
          ['acls.deleted', grantee, []],
        ]);
      });
    }
  });

  it('tells nothing of logins, refusals and requests that change nothing', async () => {
    const { client, username } = customer.plain;
    const before = await endOf();
    await anonymous(service).post('/login', { username, password: PASSWORD }).expect(200);
    await anonymous(service).post('/login', { username, password: 'wrong' }).expect(401);
    await client.post(`${users}/contacts`, { type: 'fax' }).expect(400);
    const [user] = await service.sql`SELECT first_name, last_name FROM users WHERE id = ${customer.plain.id}`;
    await client
      .patch(users, { username, firstName: user?.['first_name'], lastName: user?.['last_name'] })
      .expect(204);
    expect(await feedOf(`after=${before}`)).toEqual({ events: [], next: before });
  });

  it('names no field that only admins see', async () => {
    const [event, ...more] = await causedBy(
      await patched(admin, customer.organisationId, { externalId: 'X-1', city: 'Lier' }),
    );
    expect(more).toEqual([]);
    expect(event?.data.changed).toEqual(['city']);
    const hidden = await causedBy(await patched(admin, customer.organisationId, { externalId: 'X-2' }));
    expect(hidden.map(told)).toEqual([['organisations.updated', customer.organisationId, []]]);
  });

  describe('the actor', () => {
    const actorOf = async (client: ApiClient, of?: number, query?: string): Promise<unknown> => {
      const call = await patched(client, customer.organisationId, { city: `City ${nextNumber()}` });
      return (await causedBy(call, of, query)).map(({ data }) => data.actor);
    };

    it('is hidden as the audit log hides it, whoever reads', async () => {
      expect(await actorOf(admin)).toEqual([{ type: 'operator', id: 0 }]);
      expect(await actorOf(reseller.custadmin.client)).toEqual([{ type: 'manager', id: 0 }]);
      expect(await actorOf(customer.custadmin.client)).toEqual([{ type: 'user', id: customer.custadmin.id }]);
    });

    it('is a service key', async () => {
      const key = await makeServiceKey(service, customer.organisationId, {
        operations: ['organisations.update'],
      });
      expect(await actorOf(key.client)).toEqual([{ type: 'serviceKey', id: key.id }]);
      const above = await makeServiceKey(service, reseller.organisationId, {
        operations: ['organisations.update'],
        beneath: true,
      });
      expect(await actorOf(above.client)).toEqual([{ type: 'manager', id: 0 }]);
      expect(await actorOf(above.client, reseller.organisationId, '&beneath=true')).toEqual([
        { type: 'serviceKey', id: above.id },
      ]);
    });

    it('is known to an organisation that reaches it', async () => {
      const { organisationId, custadmin } = reseller;
      const beneath = '&beneath=true';
      expect(await actorOf(custadmin.client, organisationId, beneath)).toEqual([
        { type: 'user', id: custadmin.id },
      ]);
      expect(await actorOf(customer.custadmin.client, organisationId, beneath)).toEqual([
        { type: 'user', id: customer.custadmin.id },
      ]);
      expect(await actorOf(admin, organisationId, beneath)).toEqual([{ type: 'operator', id: 0 }]);
    });

    it('is nobody for a change past the service', async () => {
      const before = await endOf();
      await service.sql`UPDATE organisations SET city = 'Mol' WHERE id = ${customer.organisationId}`;
      const { events } = await feedOf(`after=${before}`);
      expect(events.map(({ data }) => data.actor)).toEqual([{ type: 'operator', id: 0 }]);
    });
  });

  describe('beneath', () => {
    const beneathOf = async (of: number, after: string): Promise<Told[]> =>
      (await feedOf(`limit=0&beneath=true&after=${after}`, of)).events.map(told);

    it('is told on request', async () => {
      const before = await endOf(reseller.organisationId, '&beneath=true');
      const team = await makeTeam(service, customer.organisationId);
      const own = await makeTeam(service, reseller.organisationId);
      const ids = async (query: string) =>
        (await feedOf(`limit=0&after=${before}${query}`, reseller.organisationId)).events.map(
          ({ data }) => data.recordId,
        );
      expect(await ids('')).toEqual([own]);
      expect(await ids('&beneath=false')).toEqual([own]);
      expect(await ids('&beneath=true')).toEqual([team, own]);
      expect(await ids('&beneath=1')).toEqual([team, own]);
      // The operator is above all.
      const { events } = await feedOf(`limit=0&beneath=true&after=${before}`, 1);
      expect(events.map(({ data }) => data.recordId)).toEqual([team, own]);
    });

    it('tells all that goes with an organisation that is deleted', async () => {
      const organisationId = await makeOrganisation(service, { resellerId: reseller.organisationId });
      const user = await makeUser(service, { organisationId, enabled: false });
      const contact = await makeContact(service, { organisationId, userId: user.id });
      const key = await makeServiceKey(service, organisationId);
      const before = await endOf(reseller.organisationId, '&beneath=true');
      await reseller.custadmin.client.delete(`/organisations/${organisationId}`).expect(204);
      expect(await beneathOf(reseller.organisationId, before)).toEqual(
        expect.arrayContaining([
          ['organisations.deleted', organisationId, []],
          ['users.deleted', user.id, []],
          ['contacts.deleted', contact, []],
          ['servicekeys.deleted', key.id, []],
        ]),
      );
      await admin.get(`/organisations/${organisationId}/events`).expect(404);
    });

    it('is where the organisation was when it happened; a move is told on both sides', async () => {
      const from = await makeOrganisation(service);
      const to = await makeOrganisation(service);
      const moved = await makeOrganisation(service, { resellerId: from });
      const deep = await makeOrganisation(service, { parentId: moved });
      const starts = { from: await endOf(from, '&beneath=true'), to: await endOf(to, '&beneath=true') };
      const early = await makeTeam(service, deep);
      await (await patched(admin, moved, { resellerOrganisation: to }))().expect(204);
      const late = await makeTeam(service, deep);
      const move: Told = ['organisations.updated', moved, ['resellerOrganisation']];
      const team = (id: number) => ['teams.created', id, expect.any(Array)];
      expect(await beneathOf(from, starts.from)).toEqual([team(early), move]);
      // Its creation, and that of the other organisations, came before the start of the feed.
      expect(await beneathOf(to, starts.to)).toEqual([move, team(late)]);
    });
  });

  describe('pages', () => {
    let organisationId: number;
    let teams: number[];
    beforeAll(async () => {
      organisationId = await makeOrganisation(service);
      teams = [];
      for (let left = 7; left > 0; left--) teams.push(await makeTeam(service, organisationId));
    });

    it('follow each other by `next`, which works at the end too', async () => {
      const seen: number[] = [];
      let after = '0';
      for (const size of [3, 3, 2, 0, 0]) {
        const { events, next } = await feedOf(`limit=3&after=${after}`, organisationId);
        expect(events).toHaveLength(size);
        seen.push(...events.map(({ data }) => data.recordId));
        after = next;
      }
      expect(seen).toEqual([organisationId, ...teams]);
      const later = await makeTeam(service, organisationId);
      teams.push(later);
      const { events } = await feedOf(`limit=3&after=${after}`, organisationId);
      expect(events.map(({ data }) => data.recordId)).toEqual([later]);
    });

    it('have five events unless asked for more, and as many as allowed for 0', async () => {
      expect((await feedOf('', organisationId)).events).toHaveLength(5);
      expect((await feedOf('limit=0', organisationId)).events).toHaveLength(1 + teams.length);
      expect((await feedOf('limit=99999&after=', organisationId)).events).toHaveLength(1 + teams.length);
    });

    it('go on nowhere past the last event there will ever be', async () => {
      const after = '999999999999999';
      expect(await feedOf(`after=${after}`, organisationId)).toEqual({ events: [], next: after });
    });

    it.each([
      ['after=-1', 'after'],
      ['after=9999999999999999', 'after'],
      ['after=1&after=2', 'after'],
      ['limit=many', 'limit'],
    ])('refuse %s', async (query, field) => {
      const response = await admin.get(`/organisations/${organisationId}/events?${query}`).expect(400);
      expect(failingFields(response)).toEqual([field]);
    });

    it('are rows of csv too', async () => {
      const { text } = await admin
        .get(`/organisations/${organisationId}/events?format=csv&limit=1`)
        .expect(200);
      const [header, row] = text.split('\r\n');
      expect(header).toBe(
        'type,timestamp,data.id,data.kind,data.organisationId,data.recordId,data.actor.type,data.actor.id,data.changed',
      );
      expect(row).toMatch(/^organisations\.created,/);
    });
  });
});
