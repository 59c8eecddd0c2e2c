import { VARIANTS } from '../../qa/variants';
import { type MadeUser, makeCustomer, makeOrganisation, makeUser } from '../support/factories/factories';
import { makeApiKey, makeServiceKey } from '../support/factories/key-factories';
import { LOCAL, makeLink, makeLinkKey, useLink } from '../support/factories/login-links-factories';
import { makeSupportLogin } from '../support/factories/support-factories';
import { giveSecondFactor, MovableClock } from '../support/factories/two-factor-factories';
import { pathOf } from '../support/factories/users-factories';
import { type ApiClient, asAdmin } from '../support/service/client';
import { describeService, useService } from '../support/service/service';
import { letExpire, makeOlder } from '../support/service/time';

const SETTINGS = { settings: { trustedProxies: ['127.0.0.1'] } };
const keys = '/organisations/1/servicekeys';
const BILLING = { name: 'Billing', operations: ['loginlinks.create'], whitelist: LOCAL };

const reasonsOf = ({ body }: { readonly body: unknown }) => (body as { reasons?: unknown }).reasons;

describeService(VARIANTS, 'POST …/servicekeys for login links, in Variant %s: they', (service) => {
  let admin: ApiClient;
  beforeAll(async () => {
    admin = await asAdmin(service);
  });

  const created = async (fields: object = {}): Promise<number> => {
    const { body } = await admin.post(keys, { ...BILLING, ...fields }).expect(201);
    return (body as { serviceKey: { id: number } }).serviceKey.id;
  };

  it('are made by an admin, for the operator, with a whitelist', async () => {
    for (const whitelist of [[], undefined]) {
      const refused = await admin.post(keys, { ...BILLING, whitelist }).expect(400);
      expect(reasonsOf(refused)).toEqual({ whitelist: ['REQUIRED'] });
    }
    await created();
    await admin.post(keys, { ...BILLING, operations: ['users.read'], whitelist: [] }).expect(201);
  });

  it('keep a whitelist as long as they make links', async () => {
    const id = await created();
    const put = (fields: object) => admin.put(`${keys}/${id}`, { ...BILLING, ...fields });
    expect(reasonsOf(await put({ whitelist: [] }).expect(400))).toEqual({ whitelist: ['REQUIRED'] });
    await put({ whitelist: ['192.0.2.0/24'] }).expect(204);
    await put({ whitelist: undefined }).expect(204);
    await put({ operations: ['users.read'], whitelist: [] }).expect(204);
    expect(reasonsOf(await put({ whitelist: undefined }).expect(400))).toEqual({ whitelist: ['REQUIRED'] });
    await admin.post(`${keys}/${id}/rotate`, {}).expect(201);
  });

  it('cannot be made otherwise, by SQL neither', async () => {
    const insert = (whitelist: string[], asAdmin: boolean) =>
      makeServiceKey(service, 1, { operations: BILLING.operations, whitelist, asAdmin });
    await expect(insert([], true)).rejects.toMatchObject({ constraint: 'service_keys_login_links_bound' });
    await expect(insert(LOCAL, false)).rejects.toMatchObject({
      constraint: 'service_keys_login_links_bound',
    });
    const { id } = await makeLinkKey(service);
    await expect(
      service.sql`UPDATE service_keys SET whitelist = '{}' WHERE id = ${id}`,
    ).rejects.toMatchObject({ constraint: 'service_keys_login_links_bound' });
  });

  it('are not made by groups of operations', async () => {
    for (const word of ['loginlinks.*', '*', 'loginlinks', 'loginLinks.create']) {
      const refused = await admin.post(keys, { ...BILLING, operations: [word] }).expect(400);
      expect(reasonsOf(refused)).toEqual({ operations: ['UNKNOWN_OPERATION'] });
    }
  });

  it('are made for no other organisation, and by nobody else', async () => {
    const { custadmin, organisationId } = await makeCustomer(service);
    const manager = await makeUser(service, { organisationId: 1, roles: ['ROLE_CUSTADMIN'] });
    for (const [by, path] of [
      [custadmin.client, `/organisations/${organisationId}/servicekeys`],
      [admin, `/organisations/${organisationId}/servicekeys`],
      [manager.client, keys],
    ] as const) {
      for (const beneath of [false, true]) {
        const refused = await by.post(path, { ...BILLING, beneath }).expect(400);
        expect(reasonsOf(refused)).toEqual({ operations: ['OPERATION_NOT_ALLOWED'] });
      }
    }
  });

  it('are nobody but they: no person, no other key and no group', async () => {
    const { plain, custadmin, organisationId } = await makeCustomer(service);
    const above = await makeUser(service, { organisationId: 1, roles: ['ROLE_CUSTADMIN'] });
    const staff = await makeUser(service, { organisationId: 1, roles: ['ROLE_ADMIN'] });
    const path = `${pathOf(plain)}/loginlinks`;
    await service.sql`INSERT INTO support_access (organisation_id, access) VALUES (${organisationId}, 'write')`;
    const support = await makeSupportLogin(service, custadmin.id, staff.id, { write: true });
    const people = { admin, staff: staff.client, above: above.client, custadmin: custadmin.client };
    for (const [name, client] of Object.entries({
      ...people,
      self: plain.client,
      adminsKey: (await makeApiKey(service, staff.id)).client,
      ownKey: (await makeApiKey(service, plain.id)).client,
    })) {
      const { status, body } = await client.post(path, {});
      expect([name, status, (body as { reason: string }).reason]).toEqual([name, 403, 'ACCESS_DENIED']);
    }
    expect((await support.post(path, {}).expect(403)).body).toMatchObject({ reason: 'SUPPORT_NOT_ALLOWED' });
    for (const [place, operations, asAdmin] of [
      [1, ['loginlinks.*'], true],
      [1, ['users.*', 'logins.*', 'supportlogins.*'], true],
      [organisationId, ['loginlinks.*', 'users.*'], false],
    ] as const) {
      const key = await makeServiceKey(service, place, { operations, asAdmin, beneath: true });
      expect((await key.client.post(path, {}).expect(403)).body).toMatchObject({
        reason: 'OPERATION_NOT_GRANTED',
      });
    }
    expect(await service.sql`SELECT FROM login_links WHERE user_id = ${plain.id}`).toEqual([]);
  });
});

describeService(VARIANTS, 'POST …/loginlinks by a stranger, in Variant %s: it', (_, variant) => {
  const service = useService(variant, SETTINGS);
  const from = (address: string) => ({ 'X-Forwarded-For': address });

  it('makes no link from an address beside the whitelist', async () => {
    const { plain } = await makeCustomer(service);
    const { client } = await makeLinkKey(service, { whitelist: ['198.51.100.7'] });
    const post = (address: string) => client.post(`${pathOf(plain)}/loginlinks`, {}).set(from(address));
    expect((await post('198.51.100.8').expect(403)).body).toMatchObject({ reason: 'ADDRESS_REFUSED' });
    await post('198.51.100.7').expect(201);
  });

  it('does nothing else, and finds no user of another organisation', async () => {
    const { plain } = await makeCustomer(service);
    const { client } = await makeLinkKey(service);
    const elsewhere = { ...plain, organisationId: await makeOrganisation(service) };
    await client.post(`${pathOf(elsewhere)}/loginlinks`, {}).expect(404);
    await client.post(`/organisations/${plain.organisationId}/users/999999/loginlinks`, {}).expect(404);
    await client.get(pathOf(plain)).expect(403);
    await client.get(`${pathOf(plain)}/logins`).expect(403);
    await client.post(`${pathOf(plain)}/supportlogins`, {}).expect(403);
    await client.get(keys).expect(403);
  });

  it('makes sixty links a minute', async () => {
    const { organisationId } = await makeCustomer(service);
    const { client } = await makeLinkKey(service);
    const other = await makeLinkKey(service);
    const users: MadeUser[] = [];
    for (let made = 0; made < 7; made++) users.push(await makeUser(service, { organisationId }));
    for (let made = 0; made < 60; made++) await makeLink(client, users[made % 6] as MadeUser);
    const last = users[6] as MadeUser;
    const refused = await client.post(`${pathOf(last)}/loginlinks`, {}).expect(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    await makeLink(other.client, last);
    await service.sql`UPDATE attempts SET resets_at = now()`;
    await makeLink(client, last);
  });

  it('is asked for the second factor of a user, and for the one that an organisation demands', async () => {
    const [owner, demanded] = [
      (await makeCustomer(service)).plain,
      (await makeCustomer(service, { required2fa: true })).plain,
    ];
    const { client } = await makeLinkKey(service);
    await giveSecondFactor(service, owner.id);
    const missing = variant === 'A' ? 'CODE_INVALID' : 'SECOND_FACTOR_REQUIRED';
    for (const [user, reason] of [
      [owner, missing],
      [demanded, 'SECOND_FACTOR_REQUIRED'],
    ] as const) {
      const { token } = await makeLink(client, user);
      expect((await useLink(service, token).expect(401)).body).toMatchObject({ code: 401, reason });
    }
  });

  describe('who has a link', () => {
    it('uses it from its address alone, in whatever form that is written', async () => {
      const { plain } = await makeCustomer(service);
      const { client } = await makeLinkKey(service);
      for (const [address, seen] of [
        ['192.0.2.7', '192.0.2.7'],
        ['::ffff:192.0.2.7', '192.0.2.7'],
        ['2001:DB8:0::7', '2001:db8::7'],
      ] as const) {
        const { token } = await makeLink(client, plain, { address });
        await useLink(service, token).set(from('192.0.2.8')).expect(401);
        await useLink(service, token).set(from('2001:db8::8')).expect(401);
        await useLink(service, token).set(from(seen)).expect(200);
      }
      for (const address of ['192.0.2.0/24', 'localhost', '1.2.3', 'fe80::1%eth0', '300.1.1.1']) {
        const refused = await client.post(`${pathOf(plain)}/loginlinks`, { address }).expect(400);
        expect(reasonsOf(refused)).toEqual({ address: ['INVALID_IP_ADDRESS'] });
      }
    });

    it('uses none that its key made for another address, nor one that has expired', async () => {
      const { plain } = await makeCustomer(service);
      const { client } = await makeLinkKey(service);
      const { token } = await makeLink(client, plain);
      await makeOlder(service, 'login_links', { user_id: plain.id }, '61 seconds');
      expect((await useLink(service, token).expect(401)).body).toMatchObject({ message: 'Bad credentials' });
    });
  });
});

describe('POST /login/link: a second factor', () => {
  const service = useService('A', SETTINGS);
  let clock: MovableClock;
  let key: ApiClient;
  beforeAll(async () => {
    clock = new MovableClock(service);
    ({ client: key } = await makeLinkKey(service));
  });

  async function linkOfProtected() {
    const { plain } = await makeCustomer(service);
    const secret = await giveSecondFactor(service, plain.id);
    return { plain, secret, ...(await makeLink(key, plain, { expires: 10 })) };
  }

  const secondsLeft = async ({ id }: MadeUser): Promise<number> =>
    (
      await service.sql<{ left: number }>`
        SELECT extract(epoch FROM expires_at - now())::float8 AS left FROM login_links WHERE user_id = ${id}`
    )[0]?.left as number;

  it('is asked for with the four messages of the login', async () => {
    const { token } = await linkOfProtected();
    for (const [fields, message] of [
      [{}, '6digitCode is invalid'],
      [{ '6digitCode': '' }, '6digitCode is invalid'],
      [{ '2faToken': 'f'.repeat(64) }, '2FA token is invalid'],
    ] as const) {
      expect((await useLink(service, token, fields).expect(401)).body).toMatchObject({ message });
    }
    const requested = (await makeCustomer(service)).plain;
    await service.sql`UPDATE users SET second_factor = 'requested' WHERE id = ${requested.id}`;
    const begun = await makeLink(key, requested);
    expect((await useLink(service, begun.token).expect(401)).body).toMatchObject({
      message: '2FA is requested',
    });
    const demanded = (await makeCustomer(service, { required2fa: true })).plain;
    const without = await makeLink(key, demanded);
    expect((await useLink(service, without.token).expect(401)).body).toMatchObject({
      message: '2FA is required',
    });
  });

  it('may be typed for five minutes from the first refusal', async () => {
    const { plain, secret, token } = await linkOfProtected();
    expect(await secondsLeft(plain)).toBeLessThanOrEqual(10);
    await useLink(service, token).expect(401);
    expect(await secondsLeft(plain)).toBeGreaterThan(290);
    await makeOlder(service, 'login_links', { user_id: plain.id }, '200 seconds');
    await useLink(service, token, { '6digitCode': clock.wrongCode(secret) }).expect(401);
    expect(await secondsLeft(plain)).toBeLessThanOrEqual(100);
    const code = { '6digitCode': clock.code(secret), trustThisDevice: true };
    const { body } = await useLink(service, token, code).expect(200);
    const { hash2fa } = body as { hash2fa: string };
    expect(hash2fa).toMatch(/^[0-9a-f]{64}$/);
    await useLink(service, token, code).expect(401);
    // The device is trusted as after a login by the password.
    const next = await makeLink(key, plain);
    await useLink(service, next.token, { '2faToken': hash2fa }).set('User-Agent', 'Other/1.0').expect(200);
  });

  it('ends the link with the fifth refusal', async () => {
    const { plain, secret, token } = await linkOfProtected();
    for (let refused = 1; refused <= 5; refused++) {
      const { body } = await useLink(service, token).expect(401);
      expect(body).toMatchObject({ reason: 'CODE_INVALID' });
    }
    const { body } = await useLink(service, token, { '6digitCode': clock.code(secret) }).expect(401);
    expect(body).toMatchObject({ reason: 'BAD_CREDENTIALS' });
    const fresh = await makeLink(key, plain);
    await useLink(service, fresh.token, { '6digitCode': clock.code(secret) }).expect(200);
  });

  it('that is locked for wrong codes, as for a stranger, is 429, which counts for no link', async () => {
    const { plain, secret } = await linkOfProtected();
    for (const link of [await makeLink(key, plain), await makeLink(key, plain)])
      for (let guess = 0; guess < 5; guess++)
        await useLink(service, link.token, { '6digitCode': clock.wrongCode(secret) }).expect(401);
    const { token } = await makeLink(key, plain);
    for (let guess = 0; guess < 6; guess++)
      await useLink(service, token, { '6digitCode': clock.code(secret) }).expect(429);
    await service.sql`UPDATE attempts SET resets_at = now()`;
    await useLink(service, token, { '6digitCode': clock.code(secret) }).expect(200);
  });
});

describe.each(VARIANTS)('POST /login/link: of sixty calls in Variant %s', (variant) => {
  const service = useService(variant, {
    settings: { rateLimit: true, trustedProxies: ['127.0.0.1'] },
  });
  const from = { 'X-Forwarded-For': '203.0.113.9' };
  const used = (token: string) => useLink(service, token).set(from);

  it('unknown tokens use up one each, and right ones none', async () => {
    const { plain } = await makeCustomer(service);
    const { client } = await makeLinkKey(service);
    const bound = await makeLink(client, plain, { address: '203.0.113.1' });
    const spent = await makeLink(client, plain);
    await used(spent.token).expect(200);
    const wrong = [spent.token, bound.token, 'e'.repeat(64), 'x'];
    for (let call = 0; call < 59; call++) await used(wrong[call % 4] as string).expect(401);
    await useLink(service, '').set(from).expect(400);
    await used('e'.repeat(64)).expect(429);
    await used(spent.token).expect(429);
    for (let call = 0; call < 3; call++) {
      const { token } = await makeLink(client, plain);
      await used(token).expect(200);
    }
    await letExpire(service, 'login_links', { user_id: plain.id });
    await used(bound.token).expect(429);
  });

  if (variant === 'A')
    it('a refused body uses none up with a right token, and says nothing of the token', async () => {
      const { plain } = await makeCustomer(service);
      await giveSecondFactor(service, plain.id);
      const { client } = await makeLinkKey(service);
      const { token } = await makeLink(client, plain);
      const other = { 'X-Forwarded-For': '203.0.113.10' };
      const refusalOf = async (sent: string): Promise<object> => {
        const { body } = await useLink(service, sent, { '6digitCode': {} }).set(other).expect(400);
        return { ...(body as object), requestId: '' };
      };
      const wrong = await refusalOf('e'.repeat(64));
      for (let call = 0; call < 10; call++) expect(await refusalOf(token)).toEqual(wrong);
      expect(
        await service.sql`SELECT tries, refusals, refused_at FROM login_links WHERE user_id = ${plain.id}`,
      ).toEqual([{ tries: 0, refusals: 0, refused_at: null }]);
      for (let call = 0; call < 59; call++) await refusalOf('e'.repeat(64));
      await useLink(service, 'e'.repeat(64)).set(other).expect(429);
      // Whoever has an open token learns no more than by using it.
      expect(await refusalOf(token)).toEqual(wrong);
    });
});
