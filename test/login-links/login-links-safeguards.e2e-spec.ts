import { makeCustomer, makeUser } from '../support/factories/factories';
import {
  linkedClient,
  LOCAL,
  makeLink,
  makeLinkKey,
  useLink,
} from '../support/factories/login-links-factories';
import { pathOf } from '../support/factories/users-factories';
import { SHARED_VARIANTS } from '../support/generators/sampled';
import { type ApiClient, asAdmin, failingFields } from '../support/service/client';
import { describeSharedService } from '../support/service/shared-services';
import { letExpire } from '../support/service/time';

const PERSON = { firstName: 'Jan', lastName: 'de Vries' };

describeSharedService(SHARED_VARIANTS, 'POST …/loginlinks for managers, in Variant %s: who', (service) => {
  let admin: ApiClient;
  let key: ApiClient;
  beforeAll(async () => {
    admin = await asAdmin(service);
    ({ client: key } = await makeLinkKey(service));
  });

  const MANAGING = ['ROLE_ADMIN', 'ROLE_CUSTADMIN'] as const;

  it.each(MANAGING)('gets no link: %s of the operator', async (role) => {
    const user = await makeUser(service, { organisationId: 1, roles: [role] });
    const refused = await key.post(`${pathOf(user)}/loginlinks`, {}).expect(403);
    expect(refused.body).toMatchObject({ reason: 'ACCESS_DENIED' });
  });

  it('gets one as ROLE_CUSTADMIN of another organisation', async () => {
    const { custadmin } = await makeCustomer(service);
    await makeLink(key, custadmin);
  });

  it.each(MANAGING)('is logged in by no link that is open already, with %s', async (role) => {
    const user = await makeUser(service, { organisationId: 1, roles: ['ROLE_MAIL'] });
    const linked = await linkedClient(service, key, user);
    const { token } = await makeLink(key, user);
    await linked.get(pathOf(user)).expect(200);
    const loginsOf = async () =>
      ((await user.client.get(`${pathOf(user)}/logins`).expect(200)).body as { total: number }).total;
    const before = await loginsOf();
    await admin.patch(pathOf(user), { ...PERSON, username: user.username, defaultRoles: role }).expect(204);
    await linked.get(pathOf(user)).expect(401);
    await linked.post('/login', undefined).expect(401);
    await useLink(service, token).expect(401);
    expect(await loginsOf()).toBe(before - 1);
    // A login that has shown the password stays.
    await user.client.get(pathOf(user)).expect(200);
  });

  it('is so by a role alone that manages', async () => {
    const user = await makeUser(service, { organisationId: 1, roles: ['ROLE_MAIL'] });
    const linked = await linkedClient(service, key, user);
    await admin
      .patch(pathOf(user), { ...PERSON, username: user.username, defaultRoles: 'ROLE_APP' })
      .expect(204);
    await linked.get(pathOf(user)).expect(200);
  });

  it('is so with a move into the organisation of the operator', async () => {
    const { custadmin } = await makeCustomer(service);
    const linked = await linkedClient(service, key, custadmin);
    const { token } = await makeLink(key, custadmin);
    await service.sql`UPDATE users SET organisation_id = 1 WHERE id = ${custadmin.id}`;
    await linked.get('/whoami').expect(401);
    await useLink(service, token).expect(401);
    await custadmin.client.get('/whoami').expect(200);
  });
});

describeSharedService(SHARED_VARIANTS, 'POST /login/link, in Variant %s: a login', (service) => {
  it('gets no stored response of a login with the password', async () => {
    const { client: key } = await makeLinkKey(service);
    const { custadmin } = await makeCustomer(service);
    const send = (client: ApiClient) =>
      client
        .post('/organisations', { name: 'Shop', taxNumber: 'BE0123456789' })
        .set('Idempotency-Key', 'billing-1');
    const own = await send(custadmin.client).expect(201);
    const linked = await linkedClient(service, key, custadmin);
    const made = await send(linked).expect(201);
    expect([made.headers['idempotency-replayed'], made.text === own.text]).toEqual([undefined, false]);
    // Its own request again has the same response, also with the next login by a link.
    for (const client of [linked, await linkedClient(service, key, custadmin)]) {
      const again = await send(client).expect(201);
      expect([again.headers['idempotency-replayed'], again.text]).toEqual(['true', made.text]);
    }
    const first = await send(custadmin.client).expect(201);
    expect([first.headers['idempotency-replayed'], first.text]).toEqual(['true', own.text]);
  });
});

describeSharedService(SHARED_VARIANTS, 'DELETE …/servicekeys in Variant %s: the key of a link', (service) => {
  const keys = '/organisations/1/servicekeys';
  const BILLING = { name: 'Billing', operations: ['loginlinks.create'], whitelist: LOCAL };
  let admin: ApiClient;
  beforeAll(async () => {
    admin = await asAdmin(service);
  });

  it.each<[string, (id: number) => Promise<unknown>]>([
    ['is deleted', (id) => admin.delete(`${keys}/${id}`).expect(204)],
    ['is replaced at once', (id) => admin.post(`${keys}/${id}/rotate`, { oldKeyHours: 0 }).expect(201)],
    [
      'may make links no more',
      (id) => admin.put(`${keys}/${id}`, { ...BILLING, operations: ['users.read'] }).expect(204),
    ],
    [
      'gets another whitelist',
      (id) => admin.put(`${keys}/${id}`, { ...BILLING, whitelist: ['9.9.9.9'] }).expect(204),
    ],
  ])('ends it when it %s, and no other login', async (_, end) => {
    const { plain } = await makeCustomer(service);
    const [ended, other] = [await makeLinkKey(service), await makeLinkKey(service)];
    const linked = await linkedClient(service, ended.client, plain);
    const kept = await linkedClient(service, other.client, plain);
    await linked.get('/whoami').expect(200);
    await end(ended.id);
    await linked.get('/whoami').expect(401);
    await kept.get('/whoami').expect(200);
    await plain.client.get('/whoami').expect(200);
  });

  it('ends it with the key that was rotated away, not before', async () => {
    const { plain } = await makeCustomer(service);
    const { id, client } = await makeLinkKey(service);
    const linked = await linkedClient(service, client, plain);
    await admin.put(`${keys}/${id}`, { ...BILLING, name: 'Accounts' }).expect(204);
    await admin.post(`${keys}/${id}/rotate`, { oldKeyHours: 2 }).expect(201);
    const late = await linkedClient(service, client, plain);
    for (const by of [linked, late]) await by.get('/whoami').expect(200);
    await letExpire(service, 'service_keys', { id });
    for (const by of [linked, late]) await by.get('/whoami').expect(401);
  });
});

describeSharedService(SHARED_VARIANTS, 'PUT …/servicekeys: the whitelist, in Variant %s', (service) => {
  const keys = '/organisations/1/servicekeys';
  const BILLING = { name: 'Billing', operations: ['loginlinks.create'] };
  let admin: ApiClient;
  beforeAll(async () => {
    admin = await asAdmin(service);
  });

  const TOO_WIDE = [['0.0.0.0/1', '128.0.0.0/1'], ['10.0.0.0/7'], ['2000::/3'], ['2000::/15', '192.0.2.7']];

  it.each(TOO_WIDE)('has no ranges that hold the half of all addresses: %s', async (...whitelist) => {
    const refused = await admin.post(keys, { ...BILLING, whitelist }).expect(400);
    expect(failingFields(refused)).toEqual(['whitelist']);
    const { id } = await makeLinkKey(service);
    const unchanged = await admin.put(`${keys}/${id}`, { ...BILLING, whitelist }).expect(400);
    expect(failingFields(unchanged)).toEqual(['whitelist']);
    await expect(
      service.sql`UPDATE service_keys SET whitelist = ${whitelist} WHERE id = ${id}`,
    ).rejects.toMatchObject({ constraint: 'service_keys_login_links_bound' });
  });

  it('has ranges from /8 and /16; other keys have wider ones', async () => {
    await admin.post(keys, { ...BILLING, whitelist: ['10.0.0.0/8', '2001::/16'] }).expect(201);
    await admin
      .post(keys, { ...BILLING, operations: ['users.read'], whitelist: ['0.0.0.0/1', '2000::/3'] })
      .expect(201);
  });

  it('ends the open links of the key when it changes, and no others', async () => {
    const { plain } = await makeCustomer(service);
    const [changed, other] = [await makeLinkKey(service), await makeLinkKey(service)];
    const [ended, open] = [await makeLink(changed.client, plain), await makeLink(other.client, plain)];
    const put = (whitelist: readonly string[]) =>
      admin.put(`${keys}/${changed.id}`, { ...BILLING, whitelist }).expect(204);
    const kept = await makeLink(changed.client, plain);
    await put(LOCAL);
    await useLink(service, kept.token).expect(200);
    await put(['9.9.9.9']);
    await put(LOCAL);
    await useLink(service, ended.token).expect(401);
    await useLink(service, open.token).expect(200);
  });

  it('is none of the ends that a customer has: ending all logins ends open links too', async () => {
    const { plain, custadmin } = await makeCustomer(service);
    const { client: key } = await makeLinkKey(service);
    const [own, other] = [await makeLink(key, plain), await makeLink(key, custadmin)];
    await plain.client.delete(`${pathOf(plain)}/logins`).expect(204);
    await useLink(service, own.token).expect(401);
    await useLink(service, other.token).expect(200);
    const byManager = await makeLink(key, plain);
    await custadmin.client.delete(`${pathOf(plain)}/logins`).expect(204);
    await useLink(service, byManager.token).expect(401);
  });
});
