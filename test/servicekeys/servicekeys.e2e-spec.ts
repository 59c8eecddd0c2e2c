import { UsageRecorder } from '@app/edge/usage/usage-recorder';
import { CleanUpHandler } from '@app/platform/jobs/clean-up';
import { AnnounceServiceKeyEndsHandler } from '@app/sign-in/servicekeys/announce-service-key-ends.handler';
import { identity } from '../../qa/responses';
import {
  makeCustomer,
  makeGrant,
  makeOrganisation,
  makeUser,
  PASSWORD,
} from '../support/factories/factories';
import { makeInvitation, registrationOf } from '../support/factories/invitations-factories';
import { makeServiceKey } from '../support/factories/key-factories';
import { suspend } from '../support/factories/suspensions-factories';
import { atOnce } from '../support/service/at-once';
import { audited } from '../support/service/audit';
import { anonymous, ApiClient, asAdmin, failingFields } from '../support/service/client';
import { runJob } from '../support/service/jobs';
import { useServices } from '../support/service/service';
import { letExpire, letExpireIn, makeOlder } from '../support/service/time';
import { until } from '../support/service/until';
import { NEIGHBOUR } from '../support/service/variants';

const DAY = 86_400;
const YEAR = 365 * DAY;

interface ServiceKey {
  readonly id: number;
  readonly name: string;
  readonly operations: string[];
  readonly beneath: boolean;
  readonly whitelist: string[];
  readonly dtCreated: string;
  readonly dtExpires: string;
  readonly dtLastUsed: string;
}

const [service, other] = useServices(['A', NEIGHBOUR], { settings: { trustedProxies: ['127.0.0.1'] } });
let admin: ApiClient;
beforeAll(async () => {
  admin = await asAdmin(service);
});

const keysOf = (organisationId: number): string => `/organisations/${organisationId}/servicekeys`;

const post = (client: ApiClient, organisationId: number, fields: object = {}) =>
  client.post(keysOf(organisationId), { name: 'Robot', operations: ['contacts.*'], ...fields });

async function create(client: ApiClient, organisationId: number, fields: object = {}) {
  const { body } = await post(client, organisationId, fields).expect(201);
  const { serviceKey } = body as { serviceKey: ServiceKey & { hash: string } };
  return { ...serviceKey, client: new ApiClient(service.url, serviceKey.hash) };
}

const read = async (client: ApiClient, organisationId: number, id: number): Promise<ServiceKey> =>
  ((await client.get(`${keysOf(organisationId)}/${id}`).expect(200)).body as { serviceKey: ServiceKey })
    .serviceKey;

const reasonsOf = (body: unknown): Record<string, string[]> =>
  (body as { reasons: Record<string, string[]> }).reasons;

const NOT_GRANTED = { code: 403, reason: 'OPERATION_NOT_GRANTED' };

/** A customer with an organisation beneath it. */
async function makeReseller() {
  const made = await makeCustomer(service);
  const beneath = await makeOrganisation(service, { parentId: made.organisationId });
  const user = await makeUser(service, { organisationId: beneath });
  return { ...made, beneath, contactsBeneath: `/organisations/${beneath}/users/${user.id}/contacts` };
}

describe('…/servicekeys: a service key', () => {
  it('ends when its maker chose, within API_KEY_TTL', async () => {
    const { custadmin, organisationId } = await makeCustomer(service);
    const now = Math.floor(Date.now() / 1000);
    const unchosen = await create(custadmin.client, organisationId);
    expect(unchosen.dtExpires).toBe(String(Number(unchosen.dtCreated) + YEAR));
    const { dtExpires } = await create(custadmin.client, organisationId, { expires: now + DAY });
    expect(dtExpires).toBe(String(now + DAY));
    for (const [expires, reason] of [
      [now - 1, 'TOO_SMALL'],
      [now + YEAR + 600, 'TOO_LARGE'],
    ] as const) {
      const { body } = await post(custadmin.client, organisationId, { expires }).expect(400);
      expect(reasonsOf(body)).toEqual({ expires: [reason] });
    }
  });

  it('is written as last used', async () => {
    const { custadmin, organisationId } = await makeCustomer(service);
    const { id, client } = await create(custadmin.client, organisationId);
    await client.get('/whoami').expect(200);
    await until(async () => (await read(custadmin.client, organisationId, id)).dtLastUsed !== '');
  });

  it('does from the next request on what a change lets it do', async () => {
    const { custadmin, organisationId } = await makeCustomer(service);
    const { id, client } = await create(custadmin.client, organisationId, {
      whitelist: ['127.0.0.1', '::1'],
    });
    const path = `${keysOf(organisationId)}/${id}`;
    await custadmin.client.put(path, { name: 'Other', operations: ['users.list', 'users.list'] }).expect(204);
    expect((await read(custadmin.client, organisationId, id)).operations).toEqual(['users.list']);
    await client.get(`/organisations/${organisationId}/users`).expect(200);
    await custadmin.client
      .put(path, { name: 'Other', operations: ['users.read'], beneath: false, whitelist: [] })
      .expect(204);
    const refused = await client.get(`/organisations/${organisationId}/users`).expect(403);
    expect(refused.body).toMatchObject(NOT_GRANTED);
  });
});

describe('POST …/servicekeys: the operations of a key', () => {
  it('are none of those that no key may do, that are for users or admins, or that no CUSTADMIN may do at home', async () => {
    const { custadmin, organisationId } = await makeCustomer(service);
    const { id } = await makeServiceKey(service, organisationId);
    const wrong = ['users.changePassword', 'servicekeys.*', 'preferences.read', 'billing.read'];
    const operations = [...wrong, 'organisations.delete', 'users.list'];
    for (const call of [
      post(custadmin.client, organisationId, { operations }),
      custadmin.client.put(`${keysOf(organisationId)}/${id}`, { name: 'n', operations }),
    ]) {
      expect(reasonsOf((await call.expect(400)).body)).toEqual({
        operations: Array(5).fill('OPERATION_NOT_ALLOWED'),
      });
    }
  });

  it('are refused as a group with the words that may not be given', async () => {
    const { custadmin, organisationId } = await makeCustomer(service);
    const { body } = await post(custadmin.client, organisationId, { operations: ['users.*'] }).expect(400);
    const { errors } = body as { errors: { children: { operations: { errors: string[] } } } };
    const [text = ''] = errors.children.operations.errors;
    for (const word of ['users.changePassword', 'users.enable2fa', 'users.createMigrated'])
      expect(text).toContain(word);
    expect(text).not.toContain('users.list');
  });

  it('are those of a CUSTADMIN, also where an admin makes the key for a customer', async () => {
    const { organisationId } = await makeCustomer(service);
    const { body } = await post(admin, organisationId, { operations: ['billing.read'] }).expect(400);
    expect(reasonsOf(body)).toEqual({ operations: ['OPERATION_NOT_ALLOWED'] });
    const key = await create(admin, organisationId, { operations: ['organisations.delete'], beneath: true });
    const beneath = await makeOrganisation(service, { parentId: organisationId });
    const own = await key.client.delete(`/organisations/${organisationId}`).expect(500);
    expect(own.body).toMatchObject({ reason: 'ROLE_REQUIRED' });
    await key.client.delete(`/organisations/${beneath}`).expect(204);
  });

  it('reach, in lists and links too, no further than the key', async () => {
    const { custadmin, organisationId, beneath } = await makeReseller();
    const granting = await makeOrganisation(service);
    await makeGrant(service, granting, organisationId);
    const operations = [
      'organisations.list',
      'organisations.read',
      'organisations.create',
      'entities.overview',
    ];
    const own = await create(custadmin.client, organisationId, { operations });
    const wide = await create(custadmin.client, organisationId, { operations, beneath: true });
    const idsOf = async ({ client }: { client: ApiClient }) => {
      const { body } = await client.get('/organisations?limit=0').expect(200);
      return (body as { organisations: { id: number }[] }).organisations.map(({ id }) => id);
    };
    expect(await idsOf(own)).toEqual([organisationId]);
    expect(await idsOf(wide)).toEqual([organisationId, beneath]);
    await wide.client.get(`/organisations/${granting}`).expect(403);
    const child = { name: 'Child', taxNumber: 'x', resellerOrganisation: beneath };
    const { body } = await own.client.post('/organisations', child).expect(400);
    expect(failingFields({ body })).toEqual(['resellerOrganisation']);
    await wide.client.post('/organisations', child).expect(201);
    await service.sql`INSERT INTO entities (kind, object_id, organisation_id, name)
      VALUES ('app', ${organisationId}, ${organisationId}, 'own'), ('app', ${beneath}, ${beneath}, 'beneath'),
        ('app', ${granting}, ${granting}, 'granted')`;
    const entitiesOf = async ({ hash }: { hash: string }) => {
      const answer = await new ApiClient(other.url, hash)
        .get(`/organisations/${organisationId}/entities`)
        .expect(200);
      return JSON.stringify(answer.body);
    };
    expect(await entitiesOf(own)).not.toMatch(/beneath|granted/);
    expect(await entitiesOf(wide)).toMatch(/beneath/);
    expect(await entitiesOf(wide)).not.toMatch(/granted/);
  });

  it('are those of an admin, everywhere, on a key of the operator that an admin made', async () => {
    const { organisationId } = await makeCustomer(service);
    const operations = ['billing.*', 'organisations.*'];
    const key = await create(admin, 1, { operations });
    const operator = await makeUser(service, { organisationId: 1, roles: ['ROLE_CUSTADMIN'] });
    await post(operator.client, 1, { operations }).expect(400);
    // Whoever is no admin gets no hold of an admin's key.
    const path = `${keysOf(1)}/${key.id}`;
    await operator.client.post(`${path}/rotate`, {}).expect(403);
    await operator.client.put(path, { name: 'mine', operations: ['users.list'] }).expect(403);
    await operator.client.delete(path).expect(403);
    const { body } = await admin.post(`${path}/rotate`, { oldKeyHours: 0 }).expect(201);
    const { serviceKey } = body as { serviceKey: { hash: string } };
    await new ApiClient(service.url, serviceKey.hash)
      .get(`/organisations/${organisationId}/billing`)
      .expect(200);
  });

  it('are those of a manager alone where no admin may: an admin gets no hold of such a key', async () => {
    const { custadmin, organisationId } = await makeCustomer(service);
    const operations = ['supportaccess.*'];
    expect(failingFields(await post(admin, organisationId, { operations }).expect(400))).toEqual([
      'operations',
    ]);
    const { id } = await create(custadmin.client, organisationId, { operations });
    const rotate = (client: ApiClient) => client.post(`${keysOf(organisationId)}/${id}/rotate`, {});
    expect((await rotate(admin).expect(400)).body).toMatchObject({
      reasons: { operations: ['OPERATION_NOT_ALLOWED'] },
    });
    await rotate(custadmin.client).expect(201);
  });
});

describe('whoever carries a service key', () => {
  it('is nobody, in both variants', async () => {
    const { custadmin, organisationId } = await makeCustomer(service);
    const { id, hash, client } = await create(custadmin.client, organisationId, {
      operations: ['users.update'],
    });
    for (const { url } of [service, other]) {
      const carrier = new ApiClient(url, hash);
      expect((await carrier.get('/whoami').expect(200)).body).toEqual(
        identity({
          userId: 0,
          organisationId,
          username: `servicekey:${id}`,
          name: 'Robot',
          email: '',
        }),
      );
      await carrier.post('/login').expect(403);
      await carrier.post('/logout').expect(204);
    }
    await client.get('/whoami').expect(200);
    await client
      .patch(`/organisations/${organisationId}/users/${custadmin.id}`, {
        username: 'thief@example.com',
        firstName: 'A',
        lastName: 'B',
      })
      .expect(403);
  });

  it('gives nobody a role that manages, and other roles for as long as its organisation may', async () => {
    const { custadmin, organisationId } = await makeCustomer(service);
    const { client } = await create(custadmin.client, organisationId, { operations: ['invitations.*'] });
    const invite = (email: string, autoRoles: string) =>
      client.post(`/organisations/${organisationId}/invitations`, {
        email,
        firstName: 'A',
        lastName: 'B',
        autoRoles,
      });
    await invite('a@manager.example', 'ROLE_CUSTADMIN').expect(403);
    const { body } = await invite('b@system.example', 'ROLE_SYSTEM').expect(201);
    const { invitation } = body as { invitation: { id: number } };
    const [mail] = await service.sql<{ payload: string }>`SELECT inviter_organisation_id::text AS payload
      FROM invitations WHERE id = ${invitation.id}`;
    expect(mail?.payload).toBe(String(organisationId));
    await client.post(`/organisations/${organisationId}/invitations/${invitation.id}/resend`).expect(200);
    for (const [isSuspended, roles] of [
      [false, ['ROLE_SYSTEM']],
      [true, []],
    ] as const) {
      const beneath = await makeOrganisation(service, { parentId: organisationId });
      const { id, ...made } = await makeInvitation(service, {
        organisationId: beneath,
        inviterId: custadmin.id,
        autoRoles: ['ROLE_SYSTEM'],
      });
      await service.sql`UPDATE invitations SET inviter_id = NULL, inviter_organisation_id = ${organisationId}
        WHERE id = ${id}`;
      if (isSuspended) await suspend(admin, organisationId);
      await anonymous(service)
        .post(`/registerInvitation/${made.token}`, registrationOf({ id, ...made }, PASSWORD))
        .expect(201);
      expect(await service.sql`SELECT roles FROM users WHERE username = ${made.email}`).toEqual([{ roles }]);
    }
  });

  it('is judged by the whitelist as an API key', async () => {
    const { custadmin, organisationId } = await makeCustomer(service);
    const { client } = await create(custadmin.client, organisationId, { whitelist: ['192.0.2.0/24'] });
    const { body } = await client.get('/whoami').set('X-Forwarded-For', '198.51.100.1').expect(403);
    expect(body).toMatchObject({ reason: 'ADDRESS_REFUSED' });
    await client.get('/whoami').set('X-Forwarded-For', '192.0.2.9').expect(200);
    await client.post('/login').set('X-Forwarded-For', '198.51.100.1').expect(403);
  });

  it('suspends as the organisation does, without a user', async () => {
    const { custadmin, organisationId, beneath } = await makeReseller();
    const operations = ['organisations.setEnabled'];
    const refused = await post(custadmin.client, organisationId, { operations, beneath: true }).expect(400);
    expect(failingFields(refused)).toEqual(['operations']);
    const { client } = await create(admin, organisationId, { operations, beneath: true });
    const { body } = await client
      .post(`/organisations/${beneath}/actions`, { type: 'disable', reason: 'unpaid' })
      .expect(200);
    expect(JSON.stringify(body)).toContain('"by":{"id":0,"fullname":""}');
    await client.post(`/organisations/${beneath}/actions`, { type: 'enable' }).expect(200);
  });
});

describe('…/servicekeys: the end of a service key', () => {
  it('is not that of whoever made it', async () => {
    const { custadmin, organisationId } = await makeCustomer(service);
    const { client } = await create(custadmin.client, organisationId, { operations: ['users.list'] });
    await service.sql`UPDATE users SET enabled = false WHERE id = ${custadmin.id}`;
    await client.get(`/organisations/${organisationId}/users`).expect(200);
    await admin.delete(`/organisations/${organisationId}/users/${custadmin.id}`).expect(204);
    await client.get(`/organisations/${organisationId}/users`).expect(200);
  });

  it('comes with deletion, with time and with its organisation, and rests while that is suspended', async () => {
    const { custadmin, organisationId } = await makeCustomer(service);
    const deleted = await create(custadmin.client, organisationId);
    const expired = await create(custadmin.client, organisationId);
    const living = await create(custadmin.client, organisationId);
    await custadmin.client.delete(`${keysOf(organisationId)}/${deleted.id}`).expect(204);
    await letExpire(service, 'service_keys', { id: expired.id });
    await deleted.client.get('/whoami').expect(401);
    await expired.client.get('/whoami').expect(401);
    await suspend(admin, organisationId);
    await living.client.get('/whoami').expect(401);
    await admin.post(`/organisations/${organisationId}/actions`, { type: 'enable' }).expect(200);
    await living.client.get('/whoami').expect(200);
    await service.sql`UPDATE users SET enabled = false WHERE organisation_id = ${organisationId}`;
    await admin.delete(`/organisations/${organisationId}`).expect(204);
    await living.client.get('/whoami').expect(401);
    expect(await service.sql`SELECT id FROM service_keys WHERE organisation_id = ${organisationId}`).toEqual(
      [],
    );
  });

  it('is told 30 and 7 days before, once each, to contacts with the group System', async () => {
    const { custadmin, organisationId } = await makeCustomer(service);
    const { id } = await create(custadmin.client, organisationId);
    const announce = () =>
      Promise.all(Array.from({ length: 3 }, () => runJob(service, AnnounceServiceKeyEndsHandler)));
    const told = () =>
      service.sql`SELECT type, entity_id, user_id, notification_group AS group FROM notifications
        WHERE organisation_id = ${organisationId} AND entity_class = 'ServiceKey' AND type LIKE 'ends%' ORDER BY id`;
    const of = (type: string) => ({ type, entity_id: id, user_id: null, group: 'System' });
    await makeOlder(service, 'service_keys', { id }, '1 year');
    await letExpireIn(service, 'service_keys', { id }, '31 days');
    await announce();
    expect(await told()).toEqual([]);
    await letExpireIn(service, 'service_keys', { id }, '29 days');
    await announce();
    await announce();
    expect(await told()).toEqual([of('ends_in_30_days')]);
    await letExpireIn(service, 'service_keys', { id }, '6 days');
    await announce();
    await announce();
    expect(await told()).toEqual([of('ends_in_30_days'), of('ends_in_7_days')]);
  });
});

describe('POST …/servicekeys/{serviceKeyId}/rotate', () => {
  it('happens once, also where sixteen try at once, and keeps what the key may do', async () => {
    const { custadmin, organisationId } = await makeCustomer(service);
    const fields = { beneath: true, whitelist: ['127.0.0.1', '::1'], operations: ['users.list'] };
    const old = await create(custadmin.client, organisationId, fields);
    const path = `${keysOf(organisationId)}/${old.id}/rotate`;
    const responses = await atOnce(16, () => custadmin.client.post(path, {}));
    const made = responses.filter(({ status }) => status === 201);
    expect(made).toHaveLength(1);
    for (const { status, body } of responses.filter((response) => !made.includes(response))) {
      expect({ status, body: body as object }).toMatchObject({
        status: 400,
        body: { reason: 'API_KEY_ROTATED' },
      });
    }
    const { serviceKey } = made[0]?.body as { serviceKey: ServiceKey & { hash: string } };
    expect(serviceKey).toMatchObject({ ...fields, name: 'Robot' });
    await old.client.get('/whoami').expect(200);
    await new ApiClient(service.url, serviceKey.hash).get('/whoami').expect(200);
    const left = Number((await read(custadmin.client, organisationId, old.id)).dtExpires) - Date.now() / 1000;
    expect(left).toBeGreaterThan(DAY - 60);
    expect(left).toBeLessThan(DAY + 60);
    await letExpire(service, 'service_keys', { id: old.id });
    await runJob(service, CleanUpHandler);
    await custadmin.client.get(`${keysOf(organisationId)}/${old.id}`).expect(404);
  });

  it('ends the old key at once with `oldKeyHours` 0, at the limit of the organisation too', async () => {
    const { custadmin, organisationId } = await makeCustomer(service);
    const old = await create(custadmin.client, organisationId);
    for (let made = 1; made < 50; made++) await makeServiceKey(service, organisationId);
    await custadmin.client.post(`${keysOf(organisationId)}/${old.id}/rotate`, { oldKeyHours: 0 }).expect(201);
    await old.client.get('/whoami').expect(401);
  });
});

describe('what a service key does', () => {
  interface Actor {
    readonly type: string;
    readonly serviceKeyId?: number;
    readonly name?: string;
    readonly userId: number | null;
  }
  const actorsOf = async (reader: ApiClient, organisationId: number, query: string): Promise<Actor[]> => {
    const { body } = await reader
      .get(`/organisations/${organisationId}/audit?orderType=DESC&${query}`)
      .expect(200);
    return (body as { audit: { actor: Actor }[] }).audit.map(({ actor }) => actor);
  };

  it('is in the audit log under its id and name, for whoever may know it', async () => {
    const { custadmin, organisationId, beneath, contactsBeneath } = await makeReseller();
    const below = await makeUser(service, { organisationId: beneath, roles: ['ROLE_CUSTADMIN'] });
    const key = await create(custadmin.client, organisationId, { beneath: true });
    const { rows } = await audited(
      service,
      key.client.post(contactsBeneath, { type: 'email', name: 'x@audited.example' }),
      201,
    );
    expect(rows).toMatchObject([
      {
        actor_user_id: null,
        actor_credential_kind: 'service_key',
        actor_credential_id: key.id,
        actor_name: 'Robot',
        acting_organisation_id: organisationId,
        organisation_id: beneath,
      },
    ]);
    await custadmin.client.delete(`${keysOf(organisationId)}/${key.id}`).expect(204);
    const shown = {
      type: 'serviceKey',
      serviceKeyId: key.id,
      name: 'Robot',
      userId: null,
      credential: 'service_key',
    };
    expect((await actorsOf(custadmin.client, beneath, 'kind=contacts'))[0]).toMatchObject(shown);
    // What the users and keys of an organisation did elsewhere stands in its own log too.
    expect((await actorsOf(custadmin.client, organisationId, 'kind=contacts'))[0]).toMatchObject(shown);
    const [hidden] = await actorsOf(below.client, beneath, 'kind=contacts');
    expect(hidden).toEqual({ type: 'manager', userId: null, username: '', credential: '', ip: '' });
    expect((await actorsOf(admin, beneath, 'kind=contacts'))[0]).toMatchObject(shown);
  });

  it('is that of the operator to customers where the key is one of the operator', async () => {
    const { custadmin, plain, organisationId } = await makeCustomer(service);
    const key = await create(admin, 1, { operations: ['contacts.*'] });
    await key.client
      .post(`/organisations/${organisationId}/users/${plain.id}/contacts`, {
        type: 'email',
        name: 'y@audited.example',
      })
      .expect(201);
    expect((await actorsOf(custadmin.client, organisationId, 'kind=contacts'))[0]).toMatchObject({
      type: 'operator',
      userId: null,
    });
  });

  it('is counted with the calls of its organisation', async () => {
    const { custadmin, organisationId } = await makeCustomer(service);
    const { client } = await create(custadmin.client, organisationId, { operations: ['users.list'] });
    await client.get(`/organisations/${organisationId}/users`).expect(200);
    await service.app.get(UsageRecorder).flush();
    const rows = await service.sql`SELECT requests::integer FROM variant_usage
      WHERE organisation_id = ${organisationId} AND credential = 'service_key'`;
    expect(rows).toEqual([{ requests: 1 }]);
  });
});
