import request from 'supertest';
import { UsageRecorder } from '@app/edge/usage/usage-recorder';
import { introspection, supportLogin } from '../../qa/responses';
import {
  clientOf,
  type MadeUser,
  makeCustomer,
  makeOrganisation,
  makeUser,
  nextNumber,
} from '../support/factories/factories';
import { makePasskey, passkeyClient, passkeysOf, storePasskey } from '../support/factories/passkey-factories';
import { makeContact } from '../support/factories/records';
import { makeSupportLogin } from '../support/factories/support-factories';
import { enable, suspend } from '../support/factories/suspensions-factories';
import { pathOf } from '../support/factories/users-factories';
import { useMailServer } from '../support/faults/smtp';
import { SHARED_VARIANTS } from '../support/generators/sampled';
import { auditRows, CLIENT_ADDRESS } from '../support/service/audit';
import { ApiClient, asAdmin } from '../support/service/client';
import { runJobs } from '../support/service/jobs';
import { useService } from '../support/service/service';
import { letExpire, makeOlder } from '../support/service/time';

const REASON = 'Ticket 4711: mail does not arrive';
const NOT_ALLOWED = { code: 403, reason: 'SUPPORT_NOT_ALLOWED' };
const READ_ONLY = { code: 403, reason: 'SUPPORT_READ_ONLY' };

const mailServer = useMailServer();

describe.each(SHARED_VARIANTS)('POST …/supportlogins: support logins of Variant %s', (variant) => {
  const service = useService(variant, () => ({
    settings: { trustedProxies: ['127.0.0.1'], smtpUrl: mailServer.url },
  }));

  let admin: ApiClient;
  beforeAll(async () => {
    admin = await asAdmin(service);
  });
  let staff: MadeUser;
  beforeEach(async () => {
    staff = await makeStaff();
  });

  async function makeStaff(firstName = 'Staff'): Promise<MadeUser> {
    const made = await makeUser(service, { organisationId: 1, roles: ['ROLE_ADMIN'], firstName });
    await service.sql`UPDATE users SET second_factor = 'enabled', totp_secret = 'x' WHERE id = ${made.id}`;
    return made;
  }

  const allow = (organisationId: number, access: string) => service.sql`
      INSERT INTO support_access (organisation_id, access) VALUES (${organisationId}, ${access})
      ON CONFLICT ON CONSTRAINT support_access_once DO UPDATE SET access = EXCLUDED.access`;

  const post = (client: ApiClient, user: MadeUser, fields: object = {}) =>
    client.post(`${pathOf(user)}/supportlogins`, { reason: REASON, ...fields });

  const supportOf = async (user: MadeUser, fields: object = {}, by = staff) => {
    const { body } = await post(by.client, user, fields).expect(201);
    const { supportLogin } = body as { supportLogin: { id: number; hash: string; dtExpires: string } };
    return { ...supportLogin, client: new ApiClient(service.url, supportLogin.hash) };
  };

  async function writing() {
    const made = await makeCustomer(service);
    await allow(made.organisationId, 'write');
    return { ...made, client: (await supportOf(made.custadmin, { write: true })).client };
  }

  describe('are made', () => {
    it('by an admin with a second factor, and end after their minutes', async () => {
      const { plain, organisationId } = await makeCustomer(service);
      const { body } = (await post(staff.client, plain, { minutes: 5 }).expect(201)) as {
        body: { supportLogin: { id: number; hash: string; dtExpires: string } };
      };
      expect(body).toEqual({
        supportLogin: supportLogin({
          id: expect.any(Number) as number,
          hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
          dtExpires: expect.stringMatching(/^\d+$/) as string,
        }),
      });
      const { id, hash, dtExpires } = body.supportLogin;
      const [row] = await service.sql<{ end: number; left: number; address: string }>`
          SELECT floor(extract(epoch FROM expires_at))::float8 AS end, address,
            extract(epoch FROM expires_at - created_at)::float8 AS left FROM logins WHERE id = ${id}`;
      expect(row).toEqual({ end: Number(dtExpires), left: 300, address: '' });
      const client = new ApiClient(service.url, hash);
      await client.call('head', `/organisations/${organisationId}`).expect(200);
      await makeOlder(service, 'logins', { id }, '4 minutes', ['last_used_at']);
      await client.get('/whoami').expect(200);
      const [used] = await service.sql<{ end: number }>`
          SELECT floor(extract(epoch FROM expires_at))::float8 AS end FROM logins WHERE id = ${id}`;
      expect(used?.end).toBe(Number(dtExpires));
      await letExpire(service, 'logins', { id });
      await client.get('/whoami').expect(401);
    });

    it('by nobody without a second factor, and not in the name of an admin', async () => {
      const { plain } = await makeCustomer(service);
      const bare = await makeUser(service, { organisationId: 1, roles: ['ROLE_ADMIN'] });
      expect((await post(bare.client, plain).expect(403)).body).toMatchObject({
        reason: 'SECOND_FACTOR_REQUIRED',
      });
      await service.sql`UPDATE users SET second_factor = 'requested', totp_secret = 'x' WHERE id = ${bare.id}`;
      expect((await post(bare.client, plain).expect(403)).body).toMatchObject({
        reason: 'SECOND_FACTOR_REQUIRED',
      });
      expect((await post(staff.client, bare).expect(403)).body).toMatchObject({ reason: 'ACCESS_DENIED' });
      expect((await post(staff.client, staff).expect(403)).body).toMatchObject({ reason: 'ACCESS_DENIED' });
      expect(
        await service.sql`SELECT 1 FROM logins WHERE user_id = ${plain.id} AND staff_id IS NOT NULL`,
      ).toEqual([]);
    });

    it('by a login that a passkey made, not by the password of who owns one', async () => {
      if (variant !== 'A') return;
      const { plain } = await makeCustomer(service);
      const owner = await makeUser(service, { organisationId: 1, roles: ['ROLE_ADMIN'] });
      const page = await makePasskey(service, owner);
      const required = { reason: 'SECOND_FACTOR_REQUIRED' };
      expect((await post(owner.client, plain).expect(403)).body).toMatchObject(required);
      await post(await passkeyClient(service, page), plain).expect(201);
    });

    it('by a passkey, and end with it, also where the staff member has another', async () => {
      if (variant !== 'A') return;
      const { plain } = await makeCustomer(service);
      const owner = await makeUser(service, { organisationId: 1, roles: ['ROLE_ADMIN'] });
      const page = await makePasskey(service, owner);
      await storePasskey(service, owner.id);
      const client = await passkeyClient(service, page);
      await post(client, plain).expect(201);
      await client.delete(`${passkeysOf(owner)}/${page.passkey.id}`).expect(204);
      expect(await service.sql`SELECT 1 FROM logins WHERE staff_id = ${owner.id}`).toEqual([]);
    });

    it('within what the organisation allows', async () => {
      const { plain, organisationId } = await makeCustomer(service);
      expect((await post(staff.client, plain, { write: true }).expect(403)).body).toMatchObject(NOT_ALLOWED);
      await allow(organisationId, 'none');
      expect((await post(staff.client, plain).expect(403)).body).toMatchObject(NOT_ALLOWED);
      await allow(organisationId, 'read');
      await post(staff.client, plain).expect(201);
      await expect(makeSupportLogin(service, plain.id, staff.id, { write: true })).rejects.toThrow(
        'the organisation allows less',
      );
      await allow(organisationId, 'write');
      await post(staff.client, plain, { write: true }).expect(201);
      await expect(makeSupportLogin(service, staff.id, staff.id)).rejects.toThrow('without ROLE_ADMIN');
      await expect(makeSupportLogin(service, plain.id, plain.id)).rejects.toThrow('without ROLE_ADMIN');
    });

    it('by the consent of the organisation itself, not of one above it', async () => {
      const { organisationId } = await makeCustomer(service);
      const beneath = await makeOrganisation(service, { parentId: organisationId });
      const below = await makeUser(service, { organisationId: beneath });
      await allow(organisationId, 'write');
      expect((await post(staff.client, below, { write: true }).expect(403)).body).toMatchObject(NOT_ALLOWED);
      await allow(organisationId, 'none');
      await post(staff.client, below).expect(201);
    });

    it('for users who can log in, and up to 20 of a staff member', async () => {
      const { plain, custadmin, organisationId } = await makeCustomer(service);
      const busy = await makeStaff();
      for (let made = 0; made < 20; made++) await makeSupportLogin(service, custadmin.id, busy.id);
      expect((await post(busy.client, plain).expect(400)).body).toMatchObject({ reason: 'LIMIT_REACHED' });
      await service.sql`UPDATE users SET enabled = false WHERE id = ${plain.id}`;
      await post(staff.client, plain).expect(400);
      await suspend(admin, organisationId);
      await post(staff.client, custadmin).expect(400);
    });

    it('as no login of the user: no network and no device becomes known', async () => {
      const { custadmin } = await makeCustomer(service);
      const { client } = await supportOf(custadmin);
      await client.post('/login', {}).expect(200);
      const known = await service.sql`SELECT 1 FROM known_networks WHERE user_id = ${custadmin.id}
          UNION ALL SELECT 1 FROM trusted_devices WHERE user_id = ${custadmin.id}`;
      expect(known).toEqual([]);
    });
  });

  it('make, change and delete no contact of a user with System', async () => {
    const { client, plain, organisationId } = await writing();
    const of = `${pathOf(plain)}/contacts`;
    const owner = { organisationId, userId: plain.id };
    const system = await makeContact(service, { ...owner, name: 'system@a.example', groups: ['System'] });
    const crm = await makeContact(service, { ...owner, name: 'crm@a.example', groups: ['Crm'] });
    const contact = (name: string, preferences: string) => ({ type: 'email', name, preferences });
    const rows = () =>
      service.sql`SELECT id, name, groups FROM contacts WHERE user_id = ${plain.id} ORDER BY id`;
    const before = await rows();
    for (const call of [
      client.post(of, contact('thief@a.example', 'System')),
      client.post(of, contact('thief@a.example', 'Crm,System')),
      client.put(`${of}/${crm}`, contact('crm@a.example', 'System')),
      client.put(`${of}/${system}`, contact('system@a.example', 'Crm')),
      client.put(`${of}/${system}`, contact('thief@a.example', 'System')),
      client.delete(`${of}/${system}`),
    ])
      expect((await call.expect(403)).body).toMatchObject(NOT_ALLOWED);
    expect(await rows()).toEqual(before);
  });

  it('end themselves by the logout, and no login of the customer', async () => {
    const { client, custadmin, plain } = await writing();
    await client.post('/logout').expect(204);
    await client.get('/whoami').expect(401);
    for (const user of [plain, custadmin]) await user.client.get('/whoami').expect(200);
  });

  describe('end with the next request', () => {
    it.each([
      ['the consent is taken back', 'PUT none', true],
      ['the consent is reduced', 'PUT read', true],
    ])('when %s', async (_, how) => {
      const { client, custadmin, organisationId } = await writing();
      const access = how.slice(4);
      await custadmin.client.put(`/organisations/${organisationId}/supportaccess`, { access }).expect(204);
      await client.get('/whoami').expect(401);
      await custadmin.client
        .put(`/organisations/${organisationId}/supportaccess`, { access: 'write' })
        .expect(204);
      await client.get('/whoami').expect(401);
    });

    it('but not when the consent still covers them', async () => {
      const { custadmin, organisationId } = await makeCustomer(service);
      const { client } = await supportOf(custadmin);
      for (const access of ['write', 'read'])
        await custadmin.client.put(`/organisations/${organisationId}/supportaccess`, { access }).expect(204);
      await client.get('/whoami').expect(200);
    });

    it('when nobody uses them', async () => {
      const { client, id } = await supportOf((await makeCustomer(service)).custadmin);
      await makeOlder(service, 'logins', { id }, '8 days', ['last_used_at']);
      await client.get('/whoami').expect(401);
    });

    it.each([
      ['is disabled', (of: MadeUser) => admin.post(`${pathOf(of)}/actions`, { type: 'disable' })],
      [
        'is no admin any more',
        (of: MadeUser) =>
          admin.patch(pathOf(of), {
            username: of.username,
            firstName: 'x',
            lastName: 'y',
            defaultRoles: 'ROLE_CUSTADMIN',
          }),
      ],
      ['is deleted', (of: MadeUser) => admin.delete(pathOf(of))],
      ['logs out everywhere', (of: MadeUser) => of.client.delete(`${pathOf(of)}/logins`)],
    ])('when the staff member %s', async (_, change) => {
      const { custadmin } = await makeCustomer(service);
      const leaving = await makeStaff();
      const { client } = await supportOf(custadmin, {}, leaving);
      const other = await supportOf(custadmin);
      await change(leaving).expect(({ status }) => expect(status).toBeLessThan(300));
      await client.get('/whoami').expect(401);
      await other.client.get('/whoami').expect(200);
      // Nothing brings it back.
      await service.sql`UPDATE users SET enabled = true, deleted_at = NULL, roles = '{ROLE_ADMIN}'
          WHERE id = ${leaving.id}`;
      await client.get('/whoami').expect(401);
    });

    it.each<[string, (began: { readonly id: number; readonly client: ApiClient }) => Promise<unknown>]>([
      [
        'is ended from elsewhere',
        ({ id }) => staff.client.delete(`${pathOf(staff)}/logins/${id}`).expect(204),
      ],
      ['logs out', ({ client }) => client.post('/logout').expect(204)],
      ['is too old', ({ id }) => letExpire(service, 'logins', { id })],
      [
        'is not used for too long',
        ({ id }) => makeOlder(service, 'logins', { id }, '8 days', ['last_used_at']),
      ],
    ])('when the login that began them %s', async (_, end) => {
      const { plain } = await makeCustomer(service);
      const began = await clientOf(service, staff.id);
      const { body: list } = await began.get(`${pathOf(staff)}/logins`).expect(200);
      const id = (list as { logins: { id: number; current: boolean }[] }).logins.find(
        ({ current }) => current,
      )?.id as number;
      const { client } = await supportOf(plain, {}, { ...staff, client: began });
      const other = await supportOf(plain);
      await client.get('/whoami').expect(200);
      await end({ id, client: began });
      await client.get('/whoami').expect(401);
      await other.client.get('/whoami').expect(200);
      const { body } = await plain.client.get(`${pathOf(plain)}/logins?filter=4711`).expect(200);
      expect(body).toMatchObject({ total: 1, logins: [{ id: other.id }] });
    });

    it('when the user is disabled or becomes an admin, and rest while the organisation is suspended', async () => {
      const { custadmin, plain, organisationId } = await makeCustomer(service);
      const first = await supportOf(plain);
      await admin.post(`${pathOf(plain)}/actions`, { type: 'disable' }).expect(200);
      await first.client.get('/whoami').expect(401);
      const second = await supportOf(custadmin);
      await suspend(admin, organisationId);
      await second.client.get('/whoami').expect(401);
      await enable(admin, organisationId);
      // A suspension refuses logins, and ends none (rule support 31).
      await second.client.get('/whoami').expect(200);
      const operator = await makeUser(service, { organisationId: 1 });
      const third = await supportOf(operator);
      await third.client.get('/whoami').expect(200);
      await service.sql`UPDATE users SET roles = '{ROLE_ADMIN}' WHERE id = ${operator.id}`;
      await third.client.get('/whoami').expect(401);
      await service.sql`UPDATE users SET roles = '{}' WHERE id = ${operator.id}`;
      await third.client.get('/whoami').expect(401);
    });

    it('when the user ends them, who sees them in the list beside its own logins', async () => {
      const { plain } = await makeCustomer(service);
      const { client, id } = await supportOf(plain);
      const loginsOf = async (by: ApiClient, query: string) =>
        ((await by.get(`${pathOf(plain)}/logins${query}`).expect(200)).body as { logins: object[] }).logins;
      const [own] = await loginsOf(plain.client, '');
      expect(own).not.toHaveProperty('support');
      expect(own).not.toHaveProperty('reason');
      const [presented] = await loginsOf(client, '?orderBy=id&orderType=DESC');
      expect(presented).toMatchObject({ id, current: true, support: true, reason: REASON });
      await plain.client.delete(`${pathOf(plain)}/logins/${id}`).expect(204);
      await client.get('/whoami').expect(401);
    });

    it('whatever the triggers did not see', async () => {
      const { custadmin, organisationId } = await makeCustomer(service);
      const { client } = await supportOf(custadmin);
      await service.sql`ALTER TABLE support_access DISABLE TRIGGER support_access_ends_logins`;
      try {
        await allow(organisationId, 'none');
        await client.get('/whoami').expect(401);
      } finally {
        await service.sql`ALTER TABLE support_access ENABLE TRIGGER support_access_ends_logins`;
      }
    });
  });

  describe('are seen', () => {
    it('by other services, as a login of the user with whoever acts', async () => {
      const { client, custadmin, organisationId } = await writing();
      const reading = await supportOf(custadmin);
      const introspect = (token: string | undefined) =>
        admin.post('/access/introspect', { token }).expect(200);
      expect((await introspect(reading.hash)).body).toEqual({
        ...introspection({
          sub: String(custadmin.id),
          username: custadmin.username,
          organisationId,
          roles: ['ROLE_CUSTADMIN'],
          readOnly: true,
          iat: expect.any(Number) as number,
          exp: Number(reading.dtExpires),
        }),
        act: { sub: String(staff.id) },
      });
      expect((await introspect(client.hash)).body).toMatchObject({ readOnly: false });
      expect((await introspect(custadmin.client.hash)).body).not.toHaveProperty('act');
      const forward = (hash: string | undefined, method = 'GET') =>
        request(service.url)
          .get('/v1/access/forward')
          .set('Authorization', hash ?? '')
          .set('X-Forwarded-Method', method);
      const { headers } = await forward(reading.hash).expect(204);
      expect(headers).toMatchObject({
        'x-account-credential': 'login',
        'x-account-user': String(custadmin.id),
        'x-account-support': 'true',
        'x-account-act': String(staff.id),
        'x-account-read-only': 'true',
      });
      expect((await forward(reading.hash, 'POST').expect(403)).body).toMatchObject(READ_ONLY);
      expect((await forward(client.hash, 'POST').expect(204)).headers).toMatchObject({
        'x-account-read-only': 'false',
        'x-account-support': 'true',
      });
      const own = await forward(custadmin.client.hash).expect(204);
      expect(own.headers).not.toHaveProperty('x-account-support');
      expect(own.headers).not.toHaveProperty('x-account-act');
    });

    it('in every row of the audit log: customers read the reason, admins the name', async () => {
      const { client, custadmin, plain, organisationId } = await writing();
      const beneath = await makeOrganisation(service, { parentId: organisationId });
      const below = await makeUser(service, { organisationId: beneath, roles: ['ROLE_CUSTADMIN'] });
      await client
        .post(`${pathOf(plain)}/contacts`, { type: 'email', name: `a${plain.id}@example.com` })
        .expect(201);
      await client
        .post(`${pathOf(below)}/contacts`, { type: 'email', name: `b${plain.id}@example.com` })
        .expect(201);
      await client.post('/logout').expect(204);
      const rows = await auditRows(
        service,
        `actor_credential_kind = 'support_login' AND (organisation_id = ANY ($1::integer[]))`,
        [[organisationId, beneath]],
      );
      expect(rows.map(({ table_name: table, action }) => `${action} ${table}`).sort()).toEqual([
        'delete logins',
        'insert contacts',
        'insert contacts',
      ]);
      for (const row of rows) {
        expect(row).toMatchObject({
          actor_user_id: staff.id,
          on_behalf_of: custadmin.id,
          actor_name: null,
        });
      }
      const audit = async (of: ApiClient, organisation: number, query = '') =>
        (
          (await of.get(`/organisations/${organisation}/audit?limit=100${query}`).expect(200)).body as {
            audit: { actor: object; change: { kind: string; action: string; organisationId: number } }[];
          }
        ).audit;
      const supported = (acts: Awaited<ReturnType<typeof audit>>) =>
        acts.filter(({ actor }) => 'reason' in actor);
      const read = supported(await audit(custadmin.client, organisationId));
      expect(read).toHaveLength(3);
      for (const { actor } of read) {
        expect(actor).toEqual({
          type: 'operator',
          userId: null,
          username: '',
          credential: '',
          ip: '',
          reason: REASON,
          onBehalfOf: { userId: custadmin.id, username: custadmin.username },
        });
      }
      const byAdmin = supported(await audit(admin, organisationId));
      expect(byAdmin).toHaveLength(3);
      for (const { actor } of byAdmin) {
        expect(actor).toMatchObject({
          type: 'user',
          userId: staff.id,
          username: staff.username,
          credential: 'support_login',
          reason: REASON,
          onBehalfOf: { userId: custadmin.id, username: custadmin.username },
        });
      }
      expect(supported(await audit(admin, organisationId, `&user=${staff.id}`))).toHaveLength(2);
      expect(supported(await audit(admin, 1, `&user=${staff.id}`))).toHaveLength(3);
      expect(supported(await audit(custadmin.client, organisationId, `&user=${custadmin.id}`))).toEqual([]);
      // Who may not know the user is told neither the user nor what it is about.
      expect(supported(await audit(below.client, beneath)).map(({ actor }) => actor)).toEqual([
        {
          type: 'operator',
          userId: null,
          username: '',
          credential: '',
          ip: '',
          reason: '',
          onBehalfOf: { userId: null, username: '' },
        },
      ]);
      const begun = (await audit(custadmin.client, organisationId, '&kind=logins')).filter(
        ({ change }) =>
          change.action === 'insert' && 'reason' in ((change as { after?: object }).after ?? {}),
      );
      expect(begun).toHaveLength(1);
      expect(begun[0]).toMatchObject({
        actor: { type: 'operator', userId: null, username: '' },
        change: { after: { reason: REASON, write: true, ip: '' } },
      });
      expect((begun[0]?.change as unknown as { after: object }).after).not.toHaveProperty('staffId');
    });

    it('in mails to the user and the System contacts, in their language', async () => {
      const { custadmin, plain, organisationId } = await makeCustomer(service);
      await service.sql`UPDATE users SET language = 'en' WHERE id = ${plain.id}`;
      await service.sql`UPDATE users SET language = 'fr' WHERE id = ${custadmin.id}`;
      const own = `own${nextNumber()}@example.com`;
      const ofManager = `manager${nextNumber()}@example.com`;
      await makeContact(service, { organisationId, name: own, groups: ['System'] });
      await makeContact(service, {
        organisationId,
        userId: custadmin.id,
        name: ofManager,
        groups: ['System'],
      });
      await supportOf(plain, { minutes: 60 });
      await runJobs(service);
      expect(mailServer.mailsTo(plain.username)[0]?.text).toMatch(
        /Support staff are viewing your account “.*”.*\s+Valid until: \d{1,2} \w+ \d{4} at \d\d:\d\d CES?T\s+Reason: “Ticket 4711: mail does not arrive”/,
      );
      expect(mailServer.mailsTo(own)[0]?.text).toContain('De klantenservice kijkt mee in het account van');
      expect(mailServer.mailsTo(ofManager)[0]?.text).toContain(
        'Le service d’assistance consulte le compte de',
      );
      for (const to of [plain.username, own, ofManager]) {
        expect(mailServer.mailsTo(to)).toHaveLength(1);
        expect(mailServer.mailsTo(to)[0]?.text).not.toContain('Staff');
      }
    });

    it('in the counts of calls as logins, and in the log as what they are', async () => {
      const { custadmin, organisationId } = await makeCustomer(service);
      const { client, hash } = await supportOf(custadmin);
      await client
        .delete(`${pathOf(custadmin)}/logins`)
        .set('X-Forwarded-For', CLIENT_ADDRESS)
        .expect(403);
      await service.app.get(UsageRecorder).flush();
      expect(
        await service.sql`SELECT DISTINCT credential FROM variant_usage WHERE organisation_id = ${organisationId}`,
      ).toEqual([{ credential: 'login' }]);
      const lines = service.logLines.filter((line) => line.includes('SUPPORT_READ_ONLY'));
      expect(lines.at(-1)).toContain('"credentialKind":"support_login"');
      expect(service.logLines.join('\n')).not.toContain(hash);
    });
  });

  it('are not changed by a login of the user itself', async () => {
    const { custadmin } = await makeCustomer(service);
    const { client } = await supportOf(custadmin);
    const own = await clientOf(service, custadmin.id);
    await own.post('/logout').expect(204);
    await client.get('/whoami').expect(200);
  });
});
