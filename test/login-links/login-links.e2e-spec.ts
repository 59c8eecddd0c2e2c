import { CleanUpHandler } from '@app/platform/jobs/clean-up';
import { VARIANTS } from '../../qa/variants';
import { makeBrand } from '../support/factories/brands-factories';
import {
  type MadeUser,
  makeCustomer,
  makeOrganisation,
  makeUser,
  PASSWORD,
} from '../support/factories/factories';
import { linkedClient, makeLink, makeLinkKey, useLink } from '../support/factories/login-links-factories';
import { makeContact } from '../support/factories/records';
import { enable as enableOrganisation, suspend } from '../support/factories/suspensions-factories';
import { giveSecondFactor, MovableClock } from '../support/factories/two-factor-factories';
import { pathOf } from '../support/factories/users-factories';
import { type ReceivedMail, useMailServer } from '../support/faults/smtp';
import { anonymous, ApiClient, asAdmin } from '../support/service/client';
import { runJob, runJobs } from '../support/service/jobs';
import { describeService, type TestService, useService } from '../support/service/service';
import { letExpire } from '../support/service/time';

const BAD_CREDENTIALS = { code: 401, message: 'Bad credentials' };
const KEPT_OUT = { code: 400, reason: 'USER_KEPT_OUT' };

interface StoredLink {
  readonly left: number;
  readonly isUsed: boolean;
  readonly isEnded: boolean;
}

const linksOf = ({ sql }: TestService, { id }: MadeUser): Promise<StoredLink[]> => sql<StoredLink>`
  SELECT round(extract(epoch FROM expires_at - created_at))::integer AS left, used_at IS NOT NULL AS "isUsed",
    ended_at IS NOT NULL AS "isEnded"
  FROM login_links WHERE user_id = ${id} ORDER BY id`;

describeService(VARIANTS, 'POST …/loginlinks and /login/link of Variant %s: they', (service, variant) => {
  let key: ApiClient;
  let keyId: number;
  let keyName: string;
  let admin: ApiClient;
  beforeAll(async () => {
    admin = await asAdmin(service);
    ({ client: key, id: keyId, name: keyName } = await makeLinkKey(service));
  });

  const post = (user: MadeUser, fields: object = {}, by = key) =>
    by.post(`${pathOf(user)}/loginlinks`, fields);

  it('last as long as their maker says, 60 seconds without a word', async () => {
    const { plain } = await makeCustomer(service);
    for (const fields of [{}, { expires: 10 }, { expires: 300 }]) await makeLink(key, plain, fields);
    expect((await linksOf(service, plain)).map(({ left }) => left)).toEqual([60, 10, 300]);
  });

  it('have a token of 64 digits, which the database does not hold, and no URL without a setting', async () => {
    const { plain } = await makeCustomer(service);
    const { token, url, dtExpires } = await makeLink(key, plain);
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(url).toBe('');
    const [row] = await service.sql<{ digest: string; end: number }>`
      SELECT encode(token_digest, 'hex') AS digest, floor(extract(epoch FROM expires_at))::float8 AS end
      FROM login_links WHERE user_id = ${plain.id}`;
    expect(row?.end).toBe(Number(dtExpires));
    expect(row?.digest).not.toBe(token);
    await useLink(service, token).expect(200);
    expect(service.logLines.filter((line) => line.includes(token))).toEqual([]);
  });

  it('log their user in once, as the password does', async () => {
    const { plain } = await makeCustomer(service);
    const { token } = await makeLink(key, plain);
    const { body } = await useLink(service, token).expect(200);
    const byPassword = await anonymous(service)
      .post('/login', { username: plain.username, password: PASSWORD })
      .expect(200);
    expect(body).toEqual({
      ...(byPassword.body as object),
      hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
    const client = new ApiClient(service.url, (body as { hash: string }).hash);
    expect((await client.get('/whoami').expect(200)).body).toMatchObject({ userId: plain.id });
    expect((await useLink(service, token).expect(401)).body).toMatchObject(BAD_CREDENTIALS);
  });

  it('are nothing once they are over, and end with nobody else', async () => {
    const { plain, custadmin } = await makeCustomer(service);
    const { token } = await makeLink(key, plain);
    const others = await makeLink(key, custadmin);
    await letExpire(service, 'login_links', { user_id: plain.id });
    expect((await useLink(service, token).expect(401)).body).toMatchObject(BAD_CREDENTIALS);
    await useLink(service, others.token).expect(200);
  });

  it.each(['0'.repeat(64), 'F'.repeat(64), 'x', '', ' '])(
    'are nothing with the token "%s"',
    async (token) => {
      const { status, body, headers } = await useLink(service, token);
      // The token is no credential of HTTP (rule answers 20).
      expect(headers['www-authenticate']).toBeUndefined();
      expect([status, (body as { message?: string }).message]).toEqual(
        token.trim() === '' ? [400, 'Validation Failed'] : [401, 'Bad credentials'],
      );
    },
  );

  it('are ten at most of a user that are open', async () => {
    const { plain } = await makeCustomer(service);
    const links = [];
    for (let made = 0; made < 10; made++) links.push(await makeLink(key, plain));
    expect((await post(plain).expect(400)).body).toMatchObject({ reason: 'LIMIT_REACHED' });
    await useLink(service, links[0]?.token as string).expect(200);
    await makeLink(key, plain);
    expect((await post(plain).expect(400)).body).toMatchObject({ reason: 'LIMIT_REACHED' });
    await letExpire(service, 'login_links', { user_id: plain.id });
    await makeLink(key, plain);
  });

  it('are not for users who may not log in', async () => {
    const { custadmin, plain, organisationId } = await makeCustomer(service);
    await service.sql`UPDATE users SET enabled = false WHERE id = ${plain.id}`;
    expect((await post(plain).expect(400)).body).toMatchObject(KEPT_OUT);
    await suspend(admin, organisationId);
    expect((await post(custadmin).expect(400)).body).toMatchObject(KEPT_OUT);
    expect(await linksOf(service, custadmin)).toEqual([]);
  });

  it('are not for users with ROLE_ADMIN', async () => {
    const staff = await makeUser(service, { organisationId: 1, roles: ['ROLE_ADMIN'] });
    expect((await post(staff).expect(403)).body).toMatchObject({ reason: 'ACCESS_DENIED' });
    expect(await linksOf(service, staff)).toEqual([]);
  });

  it('leave with the next clean-up once they are over', async () => {
    const { plain } = await makeCustomer(service);
    const [used, expired] = [await makeLink(key, plain), await makeLink(key, plain)];
    const usedLater = await makeLink(key, plain);
    await useLink(service, used.token).expect(200);
    await useLink(service, usedLater.token).expect(200);
    await letExpire(service, 'login_links', { user_id: plain.id });
    const open = await makeLink(key, plain);
    await runJob(service, CleanUpHandler);
    // The last use by the key says that the user was told of it.
    expect(await linksOf(service, plain)).toEqual([
      { left: expect.any(Number) as number, isUsed: true, isEnded: false },
      { left: 60, isUsed: false, isEnded: false },
    ]);
    await useLink(service, usedLater.token).expect(401);
    await useLink(service, expired.token).expect(401);
    await useLink(service, open.token).expect(200);
  });

  it('are answered again to the same Idempotency-Key', async () => {
    const { plain } = await makeCustomer(service);
    const repeated = () => post(plain, { expires: 30 }).set('Idempotency-Key', `links-${plain.id}`);
    const first = await repeated().expect(201);
    const again = await repeated().expect(201);
    expect(again.body).toEqual(first.body);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(await linksOf(service, plain)).toHaveLength(1);
  });

  it('name their key in the list of logins and in the audit log', async () => {
    const { plain, custadmin, organisationId } = await makeCustomer(service);
    const client = await linkedClient(service, key, plain);
    const list = await custadmin.client.get(`${pathOf(plain)}/logins`).expect(200);
    const { logins } = list.body as { logins: { id: number; serviceKey?: string }[] };
    expect(logins.map(({ serviceKey }) => serviceKey)).toEqual([undefined, keyName]);
    const found = await client
      .get(`${pathOf(plain)}/logins?filter=${encodeURIComponent(keyName)}`)
      .expect(200);
    expect(found.body).toMatchObject({ total: 1 });
    const audit = await admin.get(`/organisations/${organisationId}/audit?kind=logins`).expect(200);
    expect(JSON.stringify(audit.body)).toContain(`"serviceKey":${JSON.stringify(keyName)}`);
    const links = await admin.get(`/organisations/${organisationId}/audit?kind=loginLinks`).expect(200);
    expect(JSON.stringify(links.body)).toContain(`"id":${keyId}`);
  });

  describe('end with what they rest on', () => {
    let clock: MovableClock;
    beforeAll(() => {
      clock = new MovableClock(service);
    });
    const manager = (user: MadeUser): Promise<MadeUser> =>
      makeUser(service, { organisationId: user.organisationId, roles: ['ROLE_CUSTADMIN'] });
    const disable = async (user: MadeUser) =>
      (await manager(user)).client.post(`${pathOf(user)}/actions`, { type: 'disable' }).expect(200);
    const enable = async (user: MadeUser) =>
      (await manager(user)).client.post(`${pathOf(user)}/actions`, { type: 'enable' }).expect(200);

    const ENDS: Readonly<Record<string, (user: MadeUser) => Promise<unknown>>> = {
      'another password': (user) =>
        user.client
          .post(`${pathOf(user)}/changepassword`, { oldPassword: PASSWORD, password: 'Another-Passw0rd' })
          .expect(200),
      // A reset stores another password too.
      'a change of the password in the database': ({ id }) =>
        service.sql`UPDATE users SET password_hash = password_hash || '.' WHERE id = ${id}`,
      'a disabled user, enabled again or not': async (user) => {
        await disable(user);
        await enable(user);
      },
      'a suspension of the organisation, lifted again or not': async ({ organisationId }) => {
        await suspend(admin, organisationId);
        await enableOrganisation(admin, organisationId);
      },
    };

    it.each(Object.entries(ENDS))('%s', async (_, end) => {
      const { plain, custadmin } = await makeCustomer(service);
      const { token } = await makeLink(key, plain);
      await end(plain);
      expect((await useLink(service, token).expect(401)).body).toMatchObject(BAD_CREDENTIALS);
      expect(await linksOf(service, plain)).toEqual([{ left: 60, isUsed: false, isEnded: true }]);
      await useLink(service, (await makeLink(key, plain)).token).expect(200);
      await useLink(service, (await makeLink(key, custadmin)).token).expect(200);
    });

    it('a suspension from above, and not one of an organisation beside', async () => {
      const above = await makeCustomer(service);
      const [held, beside] = [
        await makeCustomer(service, { parentId: above.organisationId }),
        await makeCustomer(service),
      ];
      const links = [await makeLink(key, held.plain), await makeLink(key, beside.plain)] as const;
      await suspend(admin, above.organisationId, { withSubOrganisations: true });
      await enableOrganisation(admin, above.organisationId, { withSubOrganisations: true });
      await useLink(service, links[0].token).expect(401);
      await useLink(service, links[1].token).expect(200);
    });

    it.each<[string, (id: number) => Promise<unknown>]>([
      ['is deleted', (id) => admin.delete(`/organisations/1/servicekeys/${id}`).expect(204)],
      ['has ended', (id) => letExpire(service, 'service_keys', { id })],
      [
        'is rotated at once',
        (id) => admin.post(`/organisations/1/servicekeys/${id}/rotate`, { oldKeyHours: 0 }).expect(201),
      ],
      [
        'does it no more',
        (id) =>
          admin
            .put(`/organisations/1/servicekeys/${id}`, { name: 'Billing', operations: ['users.read'] })
            .expect(204),
      ],
    ])('their key, which %s', async (_, end) => {
      const { plain } = await makeCustomer(service);
      const other = await makeLinkKey(service);
      const { token } = await makeLink(other.client, plain);
      const kept = await makeLink(key, plain);
      await end(other.id);
      await useLink(service, token).expect(401);
      await useLink(service, kept.token).expect(200);
    });

    it('but not another name, another role or a second factor', async () => {
      const { plain } = await makeCustomer(service);
      const { token } = await makeLink(key, plain);
      await service.sql`UPDATE users SET first_name = 'Piet', roles = '{ROLE_CUSTADMIN}' WHERE id = ${plain.id}`;
      const secret = await giveSecondFactor(service, plain.id);
      const { status } = await useLink(service, token, { '6digitCode': clock.code(secret) });
      expect(status).toBe(variant === 'A' ? 200 : 401);
    });
  });
});

describe('the URL of a login link', () => {
  const service = useService('A', {
    settings: { loginUrlTemplate: 'https://panel.example/enter?from=billing#{token}' },
  });

  it('is LOGIN_URL_TEMPLATE with its token', async () => {
    const { plain } = await makeCustomer(service);
    const { client } = await makeLinkKey(service);
    const { token, url } = await makeLink(client, plain);
    expect(url).toBe(`https://panel.example/enter?from=billing#${token}`);
  });
});

describe('the URL of a login link with {panel}', () => {
  const service = useService('A', {
    settings: { loginUrlTemplate: '{panel}/enter#{token}', panelUrl: 'https://panel.example/' },
  });

  it('leads to the panel of the brand, else to that of the operator', async () => {
    const resellerId = await makeOrganisation(service);
    const { plain } = await makeCustomer(service, { resellerId });
    const { client } = await makeLinkKey(service);
    const ofOperator = await makeLink(client, plain);
    expect(ofOperator.url).toBe(`https://panel.example/enter#${ofOperator.token}`);
    await makeBrand(service, resellerId, { panelUrl: 'https://panel.kantoor.example' });
    const branded = await makeLink(client, plain);
    expect(branded.url).toBe(`https://panel.kantoor.example/enter#${branded.token}`);
  });
});

describe('the mail about logins by links', () => {
  const mailServer = useMailServer();
  const service = useService('A', () => ({
    settings: { smtpUrl: mailServer.url, trustedProxies: ['127.0.0.1'] },
  }));

  it('goes to the user the first time that a key logs it in, and names the key', async () => {
    const { plain, organisationId } = await makeCustomer(service);
    const [billing, shop] = [
      await makeLinkKey(service, { name: 'Billing' }),
      await makeLinkKey(service, { name: 'Shop' }),
    ];
    const contact = `told${plain.id}@example.com`;
    await makeContact(service, { organisationId, name: contact });
    const mailed = async (): Promise<ReceivedMail[]> => {
      await runJobs(service);
      return mailServer.mails
        .splice(0)
        .filter(({ headers }) => headers.get('subject') === 'Aangemeld via een link');
    };
    await linkedClient(service, billing.client, plain);
    await linkedClient(service, billing.client, plain);
    const [first, ...more] = await mailed();
    expect(more).toEqual([]);
    expect(first?.to).toEqual([plain.username]);
    expect(first?.text).toContain('Programma: “Billing”');
    await linkedClient(service, billing.client, plain);
    expect(await mailed()).toEqual([]);
    await linkedClient(service, shop.client, plain);
    expect((await mailed()).map(({ to }) => to)).toEqual([[plain.username]]);
    // Months later, when nothing of the first day is left but what says that the user was told.
    await service.sql`UPDATE login_links SET created_at = created_at - interval '90 days',
      expires_at = expires_at - interval '90 days', used_at = used_at - interval '90 days'`;
    await service.sql`DELETE FROM attempts`;
    await runJob(service, CleanUpHandler);
    await linkedClient(service, billing.client, plain);
    await linkedClient(service, shop.client, plain);
    expect(await mailed()).toEqual([]);
  });

  it('from a new network names the key beside address and browser', async () => {
    const { plain } = await makeCustomer(service);
    const { client } = await makeLinkKey(service, { name: 'Billing' });
    await linkedClient(service, client, plain);
    const { token } = await makeLink(client, plain);
    await useLink(service, token).set('X-Forwarded-For', '192.0.2.7').expect(200);
    await runJobs(service);
    const [told] = mailServer.mails.splice(0).filter(({ text }) => text.includes('IP-adres: 192.0.2.7'));
    expect(told?.to).toEqual([plain.username]);
    expect(told?.text).toContain('Via een link van: Billing');
  });

  it('from a new network has no link in the name of the key, and no such name for an unverified address', async () => {
    const { plain, custadmin } = await makeCustomer(service);
    const { client } = await makeLinkKey(service, { name: 'http://evil.example www.evil.example' });
    const toldOf = async (address: string) => {
      const { token } = await makeLink(client, plain);
      await useLink(service, token).set('X-Forwarded-For', address).expect(200);
      await runJobs(service);
      return mailServer.mails.splice(0).filter(({ text }) => text.includes(`IP-adres: ${address}`));
    };
    await linkedClient(service, client, plain);
    const [verified] = await toldOf('192.0.2.7');
    expect(verified?.to).toEqual([plain.username]);
    expect(verified?.text).toContain('Via een link van: http: //evil.example www .evil.example');

    const username = `unverified.${plain.username}`;
    await custadmin.client
      .patch(pathOf(plain), { username, firstName: 'Jan', lastName: 'de Vries' })
      .expect(204);
    const [unverified] = await toldOf('198.51.100.7');
    expect(unverified?.to).toEqual([username]);
    expect(unverified?.text).not.toMatch(/evil|Via een link van/);
  });
});
