import { userRecord } from '../../qa/responses';
import {
  clientOf,
  type MadeUser,
  makeCustomer,
  makeUser,
  nextNumber,
  PASSWORD,
} from '../support/factories/factories';
import { queuedMails } from '../support/factories/invitations-factories';
import { makeApiKey } from '../support/factories/key-factories';
import { atOnce } from '../support/service/at-once';
import { anonymous, type ApiClient, asAdmin, failingFields, loggedIn } from '../support/service/client';
import { describeSharedService } from '../support/service/shared-services';

/**
 * Hashes of {@link PASSWORD}: `$1$`, `$5$` and `$6$` by `openssl passwd`, the others by libxcrypt's crypt(3).
 */
const HASHES = {
  $1$: '$1$Zp3kWq81$tVo2jkEj/paZhLGHi4q4q.',
  $5$: '$5$Zp3kWq81$wxV..DQlnBEBDX9hYCv.j2SaLOHNeM5nSJz99ODbRm9',
  '$5$ with rounds': '$5$rounds=1000$Zp3kWq81$5SrSF/V8onRFbbUaB.wX1froGw7HY1kQIW8bePeLrL3',
  $6$: '$6$Zp3kWq81$Y6.zFOVIsjdZpSoyV5QQYc56FqbKMq/MX2sdW7.j.vdX.piG4qbNAV5m3tvSOXwiLc474Se0MFxddYBg8Wopo0',
  $2a$: '$2a$05$abcdefghijklmnopqrstuugxq2/dhQ27gPbHsVCYkgR9ReI9JNlNm',
  $2b$: '$2b$06$abcdefghijklmnopqrstuutfgOYMmcuC8GMMvs7hBh4dxNeJ2Uoga',
  $2y$: '$2y$04$abcdefghijklmnopqrstuu9GJiPsYrQdlHs8N4ultK1m2w1lisxxi',
};
/** Ten times the usual rounds: enough work to be noticed if it kept others waiting. */
const SLOW_HASH =
  '$6$rounds=50000$Zp3kWq81$IYdXo.VuVvP8N0FMElojAdHXLYXyRXW1yptrLA6X36sY7/z6Be5OvJcEMjdXin/qIRXQaGJVpse4Kg5lNSzhx.';

const newName = () => `migrated${nextNumber()}`;
const bodyFor = (username: string, cp3Password: string = HASHES['$1$']) => ({
  username,
  firstName: 'Anna',
  lastName: 'Smit',
  cp3Password,
});
const idOf = (response: { body: unknown }) => (response.body as { user: { id: number } }).user.id;

describeSharedService(['B'], 'users of the previous panel in Variant B', (service) => {
  let admin: ApiClient;
  beforeAll(async () => {
    admin = await asAdmin(service);
  });
  let customer: { organisationId: number; custadmin: MadeUser; plain: MadeUser };
  let path: string;
  beforeEach(async () => {
    customer = await makeCustomer(service);
    path = `/organisations/${customer.organisationId}`;
  });

  const stored = async (id: number) =>
    (
      await service.sql<{
        password_hash: string;
        website_order_information: string | null;
        username: string;
      }>(`SELECT username, password_hash, website_order_information FROM users WHERE id = $1`, [id])
    )[0];
  const notificationsOf = (id: number) =>
    service.sql`SELECT notification_group, type, user_id FROM notifications WHERE entity_class = 'User'
       AND entity_id = ${id}
       ORDER BY id`;
  const contactsOf = (id: number) => service.sql`SELECT type, name FROM contacts WHERE user_id = ${id}`;
  const adminId = async () => ((await admin.get('/whoami')).body as { userId: number }).userId;
  const userReply = (fields: { username: string; email: string }) => ({
    user: userRecord.B({
      id: expect.any(Number) as number,
      ...fields,
      lastName: 'Smit',
      fullname: 'Anna Smit',
      organisation: expect.objectContaining({ id: customer.organisationId }) as string,
    }),
  });

  describe('POST …/users', () => {
    it('answers the user and keeps what the order form left, without a contact', async () => {
      const username = newName();
      const response = await admin
        .post(`${path}/users`, { ...bodyFor(username), websiteOrderInfo: 'came with offer 12' })
        .expect(201);
      expect(response.body).toEqual(userReply({ username, email: '' }));
      const id = idOf(response);
      expect(await stored(id)).toEqual({
        username,
        password_hash: HASHES['$1$'],
        website_order_information: 'came with offer 12',
      });
      expect(await notificationsOf(id)).toEqual([
        { notification_group: 'Crm', type: 'new', user_id: await adminId() },
      ]);
      expect(await contactsOf(id)).toEqual([]);
    });

    it('refuses a taken name, whatever its case; of 16 at once one wins', async () => {
      const username = newName();
      const responses = await atOnce(16, () => admin.post(`${path}/users`, bodyFor(username)));
      expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(15).fill(400)]);
      const again = await admin.post(`${path}/users`, bodyFor(username.toUpperCase())).expect(400);
      expect(failingFields(again)).toEqual(['username']);
    });
  });

  describe('POST /login: first login', () => {
    it.each(Object.entries(HASHES))(
      'with %s counts, and replaces the hash by the own one',
      async (_, hash) => {
        const username = newName();
        const id = idOf(await admin.post(`${path}/users`, bodyFor(username, hash)).expect(201));
        await anonymous(service)
          .post('/login', { username, password: `${PASSWORD}x` })
          .expect(401);
        expect((await stored(id))?.password_hash).toBe(hash);
        await loggedIn(service, username, PASSWORD);
        const renewed = (await stored(id))?.password_hash;
        // A bcrypt hash of the service's kind and of no lower cost is the own one already.
        if (hash.startsWith('$2b$')) expect(renewed).toBe(hash);
        else expect(renewed).toMatch(/^\$2b\$04\$/);
        await loggedIn(service, username.toUpperCase(), PASSWORD);
        expect((await stored(id))?.password_hash).toBe(renewed);
      },
    );

    it('does not keep others waiting while it computes', async () => {
      const username = newName();
      await admin.post(`${path}/users`, bodyFor(username, SLOW_HASH)).expect(201);
      let done = false;
      const login = loggedIn(service, username, PASSWORD).finally(() => (done = true));
      let answeredMeanwhile = 0;
      while (!done) {
        await anonymous(service).get('/whoami').expect(401);
        answeredMeanwhile++;
      }
      await login;
      // One before the work begins and one after it are answered even by a service
      // that stands still in between.
      expect(answeredMeanwhile).toBeGreaterThan(4);
    });
  });

  describe('PATCH …/cp3/users', () => {
    it('answers the changed user; what the order form left stays until it is given', async () => {
      const first = { ...bodyFor(newName()), websiteOrderInfo: 'offer 12' };
      const id = idOf(await admin.post(`${path}/users`, first).expect(201));
      const username = `${newName()}@example.com`;
      const response = await admin.patch(`${path}/cp3/users/${id}`, bodyFor(username)).expect(200);
      expect(response.body).toEqual(userReply({ username, email: username }));
      expect((await stored(id))?.website_order_information).toBe('offer 12');
      const cleared = { ...bodyFor(username), websiteOrderInfo: null };
      await admin.patch(`${path}/cp3/users/${id}`, cleared).expect(200);
      expect((await stored(id))?.website_order_information).toBeNull();
    });

    it('ends the logins and resets of the password before, and is told; the same hash changes nothing', async () => {
      const username = `${newName()}@example.com`;
      const id = idOf(await admin.post(`${path}/users`, bodyFor(username)).expect(201));
      const login = await clientOf(service, id);
      const bystander = customer.custadmin.client;
      await anonymous(service).post('/resetting/send_email', { username }).expect(204);
      const openResets = async () =>
        (await service.sql`SELECT 1 FROM recovery_requests WHERE user_id = ${id} AND ended_at IS NULL`)
          .length;
      await service.sql(
        `INSERT INTO recovery_requests (user_id, username, token_digest, code_digest, expires_at, code_expires_at)
         VALUES ($1, 'n', '\\x01', '\\x01', now() + interval '1 hour', now() + interval '1 hour') ON CONFLICT DO NOTHING`,
        [id],
      );
      await admin.patch(`${path}/cp3/users/${id}`, bodyFor(username)).expect(200);
      await login.get('/whoami').expect(200);
      expect(await openResets()).toBe(1);

      await admin.patch(`${path}/cp3/users/${id}`, bodyFor(username, HASHES['$6$'])).expect(200);
      await login.get('/whoami').expect(401);
      await bystander.get('/whoami').expect(200);
      expect(await openResets()).toBe(0);
      expect(await notificationsOf(id)).toEqual([
        { notification_group: 'Crm', type: 'new', user_id: await adminId() },
        { notification_group: 'System', type: 'password_changed', user_id: await adminId() },
      ]);
    });

    it('leaves an admin who changes itself the login of the request, and no other', async () => {
      const self = await makeUser(service, { organisationId: 1, roles: ['ROLE_ADMIN'] });
      const other = await clientOf(service, self.id);
      // Its own password is kept (rule variant-b 12).
      await service.sql`UPDATE users SET password_hash = ${HASHES['$1$']} WHERE id = ${self.id}`;
      await self.client
        .patch(`/organisations/1/cp3/users/${self.id}`, bodyFor(self.username, HASHES['$5$']))
        .expect(200);
      await self.client.get('/whoami').expect(200);
      await other.get('/whoami').expect(401);
    });

    it('tells the old address of a new user name, and frees the old name', async () => {
      const old = `${newName()}@example.com`;
      const id = idOf(await admin.post(`${path}/users`, bodyFor(old)).expect(201));
      await admin.patch(`${path}/cp3/users/${id}`, bodyFor(newName())).expect(200);
      expect((await queuedMails(service, old)).map(({ template }) => template)).toEqual(['usernameChanged']);
      await admin.post(`${path}/users`, bodyFor(old)).expect(201);
      const taken = await admin.patch(`${path}/cp3/users/${id}`, bodyFor(old)).expect(400);
      expect(failingFields(taken)).toEqual(['username']);
    });
  });

  describe('POST …/userandcontact', () => {
    const body = (username: string) => ({
      username,
      firstName: 'Anna',
      lastName: 'Smit',
      password: PASSWORD,
    });

    it('creates user and first contact', async () => {
      const username = `${newName()}@example.com`;
      const response = await admin
        .post(`${path}/userandcontact`, {
          ...body(username),
          defaultRoles: ' ROLE_MAIL,ROLE_CUSTADMIN',
          language: 'fr',
        })
        .expect(201);
      const { user } = userReply({ username, email: username });
      expect(response.body).toEqual({
        user: {
          ...user,
          language: 'fr',
          roles: expect.arrayContaining(['ROLE_CUSTADMIN', 'ROLE_MAIL']) as string[],
        },
      });
      const id = idOf(response);
      expect(await contactsOf(id)).toEqual([{ type: 'email', name: username }]);
      expect(await notificationsOf(id)).toEqual([
        { notification_group: 'Crm', type: 'new', user_id: await adminId() },
      ]);
      await loggedIn(service, username, PASSWORD);
    });

    it('gives a login name no contact, and Dutch by default', async () => {
      const username = newName();
      const response = await admin.post(`${path}/userandcontact`, body(username)).expect(201);
      expect(response.body).toEqual(userReply({ username, email: '' }));
      expect(await contactsOf(idOf(response))).toEqual([]);
    });

    it.each(['ROLE_KING', 'ROLE_ADMIN'])('refuses the roles %s', async (defaultRoles) => {
      const response = await admin
        .post(`${path}/userandcontact`, { ...body(newName()), defaultRoles })
        .expect(400);
      expect(failingFields(response)).toEqual(['defaultRoles']);
    });

    it('leaves nothing behind when the name is taken', async () => {
      const response = await admin
        .post(`${path}/userandcontact`, body(customer.plain.username.toUpperCase()))
        .expect(400);
      expect(failingFields(response)).toEqual(['username']);
      expect(
        await service.sql`SELECT 1 FROM contacts WHERE lower(name) = ${customer.plain.username}`,
      ).toEqual([]);
    });
  });

  it('leave no hash in the log', () => {
    const log = service.logLines.join('\n');
    expect(log).toContain('cp3');
    expect(log).not.toContain('Zp3kWq81');
    expect(log).not.toContain(PASSWORD);
  });

  it('another hash of the previous panel ends logins, and neither trusted devices nor API keys', async () => {
    const { plain, organisationId } = await makeCustomer(service);
    const key = await makeApiKey(service, plain.id);
    await service.sql(
      `INSERT INTO trusted_devices (user_id, digest, user_agent, address, expires_at)
     VALUES ($1, '\\x01', 'agent', '127.0.0.1', now() + interval '1 day')`,
      [plain.id],
    );
    await admin
      .patch(`/organisations/${organisationId}/cp3/users/${plain.id}`, {
        username: plain.username,
        firstName: 'Jan',
        lastName: 'de Vries',
        cp3Password: '$1$abcdefgh$M5lxU5XK.tcr2msanB7D0/',
      })
      .expect(200);
    await plain.client.get('/whoami').expect(401);
    await key.client.get('/whoami').expect(200);
    expect(await service.sql`SELECT 1 FROM trusted_devices WHERE user_id = ${plain.id}`).toHaveLength(1);
  });
});
