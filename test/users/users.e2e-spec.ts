import { organisationOfUser } from '../../qa/responses';
import { type PerVariant, VARIANTS } from '../../qa/variants';
import {
  clientOf,
  type Customer,
  makeCustomer,
  makeOrganisation,
  makeUser,
  nextNumber,
  PASSWORD,
} from '../support/factories/factories';
import { newPublicKey } from '../support/factories/key-factories';
import { apiKeyClientOf, makeAdmin, pathOf } from '../support/factories/users-factories';
import { atOnce } from '../support/service/at-once';
import { anonymous, type ApiClient, asAdmin, failingFields, loggedIn } from '../support/service/client';
import { ADMIN, useService } from '../support/service/service';
import { describeSharedService } from '../support/service/shared-services';
import { statusCategory } from '../support/service/variants';

/** What `websiteOrderInfo` stores; a variant without the field ignores it. */
const ORDER_INFORMATION: PerVariant<string | null> = { A: null, B: 'order 7' };

/** Whether a user name may be no address. */
const TAKES_LOGIN_NAMES: PerVariant<boolean> = { A: false, B: true };

/**
 * Follows the rules of its variant, not of the other: 8 characters without a capital;
 * a capital, no special one.
 */
const FITTING_PASSWORD: PerVariant<string> = { A: 'newpw-12', B: 'Newpass12' };

describeSharedService(VARIANTS, '…/users in Variant %s', (service, variant) => {
  let admin: ApiClient;
  beforeAll(async () => {
    admin = await asAdmin(service);
  });
  /** Another customer, in the way of every test. */

  let other: Customer;
  beforeAll(async () => {
    other = await makeCustomer(service);
  });

  const rowOf = async (id: number) => (await service.sql`SELECT * FROM users WHERE id = ${id}`)[0] ?? {};
  const changesOf = (user: { username: string }, changes: object = {}) => ({
    username: user.username,
    firstName: 'Jan',
    lastName: 'de Vries',
    ...changes,
  });

  describe('GET …/users', () => {
    it('lists the users of the organisation, disabled ones too, and none that is deleted', async () => {
      const { organisationId, custadmin, plain } = await makeCustomer(service);
      const named = await makeUser(service, {
        organisationId,
        username: `login${nextNumber()}`,
        enabled: false,
      });
      const gone = await makeUser(service, { organisationId });
      await service.sql`UPDATE users SET deleted_at = now() WHERE id = ${gone.id}`;
      const { body } = await plain.client.get(`/organisations/${organisationId}/users`).expect(200);
      expect(body).toMatchObject({
        users: [
          { id: custadmin.id, roles: ['ROLE_CUSTADMIN'] },
          { id: plain.id },
          { id: named.id, email: '' },
        ],
      });
    });

    it('shows organisation, reseller and teams of a single user', async () => {
      const resellerId = await makeOrganisation(service, { name: 'Reseller' });
      const { plain, organisationId } = await makeCustomer(service, { name: 'Shape', resellerId });
      await service.sql`UPDATE organisations
         SET street = 'Laan', house_number = '1', zip = '1234', city = 'Ede', country_code = 'BE',
           organisation_type = 2 WHERE id = ${organisationId}`;
      const [team] = await service.sql<{ id: number }>(
        `WITH team AS (INSERT INTO teams (organisation_id, name, auto_add_sshkey) VALUES ($1, 'Web', true) RETURNING id)
         INSERT INTO team_members (team_id, user_id) SELECT id, $2 FROM team RETURNING team_id AS id`,
        [organisationId, plain.id],
      );
      const { body } = await plain.client.get(pathOf(plain)).expect(200);
      const taxNumber = expect.stringMatching(/^TAX-/) as string;
      expect(body).toEqual({
        user: expect.objectContaining({
          organisation: organisationOfUser({
            id: organisationId,
            name: 'Shape',
            street: 'Laan',
            houseNumber: '1',
            zip: '1234',
            city: 'Ede',
            reseller: { id: resellerId, name: 'Reseller', taxNumber },
            organisationType: { identifier: 2 },
          }),
          country: { id: 'BE', name: 'Belgium' },
          teams: [{ id: team?.id, name: 'Web', autoAddSshkey: true }],
        }) as object,
      });
    });
  });

  describe('PATCH …/users', () => {
    it('answers roles in the order in which they were given, each once', async () => {
      const { plain, custadmin } = await makeCustomer(service);
      const defaultRoles = 'ROLE_MAIL,ROLE_CUSTADMIN, ROLE_APP,ROLE_MAIL,ROLE_DOMAIN,ROLE_APP';
      await custadmin.client.patch(pathOf(plain), changesOf(plain, { defaultRoles })).expect(204);
      const { body } = await custadmin.client.get(pathOf(plain)).expect(200);
      expect(body).toMatchObject({
        user: { roles: ['ROLE_MAIL', 'ROLE_CUSTADMIN', 'ROLE_APP', 'ROLE_DOMAIN'] },
      });
    });

    it('changes what is sent and keeps what is not', async () => {
      const { plain, custadmin } = await makeCustomer(service);
      const username = `new${nextNumber()}@example.com`;
      const everything = {
        username,
        firstName: 'A',
        lastName: 'B',
        defaultRoles: 'ROLE_MAIL, ROLE_APP',
        language: 'fr',
      };
      await custadmin.client
        .patch(pathOf(plain), { ...everything, websiteOrderInfo: 'order 7' })
        .expect(204, {});
      const expected = {
        username,
        first_name: 'A',
        last_name: 'B',
        roles: ['ROLE_MAIL', 'ROLE_APP'],
        language: 'fr',
        website_order_information: ORDER_INFORMATION[variant],
      };
      expect(await rowOf(plain.id)).toMatchObject(expected);
      await custadmin.client.patch(pathOf(plain), { username, firstName: 'C', lastName: 'D' }).expect(204);
      expect(await rowOf(plain.id)).toMatchObject({ ...expected, first_name: 'C', last_name: 'D' });
      await custadmin.client.patch(pathOf(plain), changesOf({ username }, { defaultRoles: '' })).expect(204);
      expect(await rowOf(plain.id)).toMatchObject({ roles: [] });
    });

    it('gives the longest names back as they were sent', async () => {
      const { plain, custadmin } = await makeCustomer(service);
      const names = { firstName: 'é'.repeat(255), lastName: '名'.repeat(255) };
      await custadmin.client.patch(pathOf(plain), changesOf(plain, names)).expect(204);
      expect(await rowOf(plain.id)).toMatchObject({ first_name: names.firstName, last_name: names.lastName });
    });

    it.each([
      [
        { username: '"a"@c.example', firstName: {}, lastName: [], defaultRoles: 'ROLE_X' },
        ['defaultRoles', 'firstName', 'lastName', 'username'],
      ],
      [{ username: 'a@b.example', firstName: 'a', lastName: 'b', defaultRoles: 'ROLE_X' }, ['defaultRoles']],
    ])('refuses %j', async (body, fields) => {
      const { plain, custadmin } = await makeCustomer(service);
      const before = await rowOf(plain.id);
      const response = await custadmin.client.patch(pathOf(plain), body).expect(400);
      expect(failingFields(response)).toEqual(fields);
      expect(await rowOf(plain.id)).toEqual(before);
    });

    it('keeps user names unique without regard to case, and frees those of deleted users', async () => {
      const { plain, custadmin } = await makeCustomer(service);
      const taken = other.plain.username.toUpperCase();
      const { body } = await custadmin.client
        .patch(pathOf(plain), changesOf({ username: taken }))
        .expect(400);
      expect(failingFields({ body })).toEqual(['username']);
      await custadmin.client
        .patch(pathOf(plain), changesOf({ username: plain.username.toUpperCase() }))
        .expect(204);
      const gone = await makeUser(service, { organisationId: plain.organisationId });
      await custadmin.client.delete(pathOf(gone)).expect(204);
      await custadmin.client.patch(pathOf(plain), changesOf(gone)).expect(204);
    });

    it('lets oneself change names and language, not roles', async () => {
      const { plain, custadmin } = await makeCustomer(service);
      const mine = changesOf({ username: `me${nextNumber()}@example.com` }, { language: 'en' });
      await plain.client.patch(pathOf(plain), mine).expect(204);
      expect(await rowOf(plain.id)).toMatchObject({ username: mine.username, language: 'en' });
      for (const user of [plain, custadmin]) {
        const { body } = await user.client
          .patch(pathOf(user), changesOf(user, { defaultRoles: 'ROLE_CUSTADMIN' }))
          .expect(500);
        expect(body).toMatchObject({ message: 'Insufficient role', reason: 'ROLE_REQUIRED' });
      }
    });

    it('gives ROLE_ADMIN by admins alone, and inside the operator organisation alone', async () => {
      const { plain, custadmin } = await makeCustomer(service);
      const operator = await makeUser(service, { organisationId: 1 });
      const manager = await makeUser(service, { organisationId: 1, roles: ['ROLE_CUSTADMIN'] });
      const roles = { defaultRoles: 'ROLE_ADMIN' };
      for (const [client, user] of [
        [custadmin.client, plain],
        [admin, plain],
        [manager.client, operator],
        [manager.client, plain],
      ] as const) {
        const { body } = await client.patch(pathOf(user), changesOf(user, roles)).expect(400);
        expect(failingFields({ body })).toEqual(['defaultRoles']);
      }
      await admin.patch(pathOf(operator), changesOf(operator, roles)).expect(204);
      await operator.client.get('/organisations').expect(200);
    });
  });

  describe('PATCH …/users: names', () => {
    it('of teams and keys that are stored already may be repeated, whatever they hold', async () => {
      const { organisationId, custadmin } = await makeCustomer(service);
      const of = `/organisations/${organisationId}`;
      const keys = [
        ['teams', `${of}/teams`, {}, 'name', 'team'],
        ['service_keys', `${of}/servicekeys`, { operations: ['contacts.list'] }, 'name', 'serviceKey'],
        ['api_keys', `${pathOf(custadmin)}/apikeys`, { whitelist: [] }, 'name', 'apiKey'],
        ['ssh_keys', `${pathOf(custadmin)}/sshkeys`, { content: newPublicKey() }, 'description', 'sshkey'],
      ] as const;
      for (const [table, path, fields, field, shown] of keys) {
        // Only Variant A has routes of API keys.
        if (variant !== 'A' && table === 'api_keys') continue;
        const made = await custadmin.client.post(path, { ...fields, [field]: 'Zoë Ж 日本 אב' });
        const { id } = (made.body as Record<string, { id: number }>)[shown] as { id: number };
        const put = (name: string) => custadmin.client.put(`${path}/${id}`, { ...fields, [field]: name });
        await service.sql(`UPDATE ${table} SET ${field} = $1 WHERE id = $2`, ['old\u202e\n', id]);
        await put('old\u202e\n').expect(204);
        await put('other\u202e\n').expect(400);
      }
    });

    it('that are stored already may be repeated, so that the rest can be changed', async () => {
      const { organisationId, custadmin, plain } = await makeCustomer(service);
      await service.sql`UPDATE organisations SET name = ${'Old\tname'} WHERE id = ${organisationId}`;
      await service.sql`UPDATE users SET first_name = ${'Old\tname'}, last_name = 'x://' WHERE id = ${plain.id}`;
      const path = `/organisations/${organisationId}`;
      await custadmin.client.put(path, { name: 'Old\tname', taxNumber: 'NL2', city: 'Gent' }).expect(204);
      await custadmin.client.put(path, { name: 'New\tname', taxNumber: 'NL2' }).expect(400);
      const old = { username: plain.username, firstName: 'Old\tname', lastName: 'x://' };
      await custadmin.client.patch(pathOf(plain), { ...old, language: 'fr' }).expect(204);
      for (const [field, name] of Object.entries({ firstName: 'New\tname', lastName: 'y://' })) {
        const refused = await custadmin.client.patch(pathOf(plain), { ...old, [field]: name }).expect(400);
        expect(refused.body).toMatchObject({ reasons: { [field]: ['FORBIDDEN_CHARACTER'] } });
      }
      const { body } = await custadmin.client.get(path).expect(200);
      expect(body).toMatchObject({ organisation: { name: 'Old\tname', city: 'Gent' } });
    });
  });

  describe('POST …/users/{userId}/actions', () => {
    it('ends logins for good and API keys until it is switched on again', async () => {
      const { plain, custadmin } = await makeCustomer(service);
      const key = await apiKeyClientOf(service, plain.id);
      await key.get('/whoami').expect(200);
      const off = await custadmin.client.post(`${pathOf(plain)}/actions`, { type: 'disable' }).expect(200);
      expect(off.body).toMatchObject({
        user: { id: plain.id, status: 'deactivated', ...statusCategory(variant, 'grey') },
      });
      for (const client of [plain.client, key]) await client.get('/whoami').expect(401);
      await anonymous(service).post('/login', { username: plain.username, password: PASSWORD }).expect(401);
      const on = await custadmin.client.post(`${pathOf(plain)}/actions`, { type: 'enable' }).expect(200);
      expect(on.body).toMatchObject({ user: { status: 'ok', ...statusCategory(variant, 'green') } });
      await plain.client.get('/whoami').expect(401);
      await key.get('/whoami').expect(200);
      await anonymous(service).post('/login', { username: plain.username, password: PASSWORD }).expect(200);
    });
  });

  describe('DELETE …/users', () => {
    it('takes away the user and all that it could log in with', async () => {
      const { plain, custadmin, organisationId } = await makeCustomer(service);
      const key = await apiKeyClientOf(service, plain.id);
      await custadmin.client.delete(pathOf(plain)).expect(204, {});
      for (const client of [plain.client, key]) await client.get('/whoami').expect(401);
      await anonymous(service).post('/login', { username: plain.username, password: PASSWORD }).expect(404);
      await admin.get(pathOf(plain)).expect(404);
      await admin.delete(pathOf(plain)).expect(404);
      const { body } = await admin.get(`/organisations/${organisationId}/users`).expect(200);
      expect((body as { users: { id: number }[] }).users.map(({ id }) => id)).toEqual([custadmin.id]);
      const again = await makeUser(service, { organisationId, username: plain.username });
      expect(again.id).toBeGreaterThan(plain.id);
      expect(await rowOf(plain.id)).toMatchObject({ password_hash: '' });
    });
  });

  describe('PATCH and DELETE …/users, POST …/actions: the last admin', () => {
    // The tests run in this order: the first leaves its admin as it was.
    const own = useService(variant);

    const ways: [string, (client: ApiClient, id: number, username: string) => Promise<{ status: number }>][] =
      [
        ['deleted', (client, id) => client.delete(`/organisations/1/users/${id}`)],
        [
          'disabled',
          (client, id) => client.post(`/organisations/1/users/${id}/actions`, { type: 'disable' }),
        ],
        [
          'demoted',
          (client, id, username) =>
            client.patch(
              `/organisations/1/users/${id}`,
              changesOf({ username }, { defaultRoles: 'ROLE_FINANCE' }),
            ),
        ],
      ];

    it('cannot be deleted, disabled or demoted, but for the last it can', async () => {
      const first = await asAdmin(own);
      const [row] = await own.sql<{ id: number }>`SELECT id FROM users WHERE username = ${ADMIN.username}`;
      const firstId = row?.id as number;
      // A disabled one is not there to take over.
      await makeUser(own, { organisationId: 1, roles: ['ROLE_ADMIN'], enabled: false });
      for (const [way, act] of ways) {
        expect({ way, status: (await act(first, firstId, ADMIN.username)).status }).toEqual({
          way,
          status: 400,
        });
      }
      await first.get('/organisations').expect(200);
      for (const [way, act] of ways) {
        const second = await makeAdmin(own);
        const { status } = await act(second.client, second.id, second.username);
        expect({ way, ok: status < 300 }).toEqual({ way, ok: true });
      }
    });
  });

  describe('POST …/users/{userId}/changepassword', () => {
    const fitting = FITTING_PASSWORD[variant];

    it('answers the user, ends the other logins and keeps API keys', async () => {
      const { plain } = await makeCustomer(service);
      const second = await clientOf(service, plain.id);
      const key = await apiKeyClientOf(service, plain.id);
      const { body } = await plain.client
        .post(`${pathOf(plain)}/changepassword`, { oldPassword: PASSWORD, password: fitting })
        .expect(200);
      expect(body).toEqual((await admin.get(pathOf(plain)).expect(200)).body);
      await plain.client.get('/whoami').expect(200);
      await second.get('/whoami').expect(401);
      await key.get('/whoami').expect(200);
      await anonymous(service).post('/login', { username: plain.username, password: PASSWORD }).expect(401);
      await anonymous(service).post('/login', { username: plain.username, password: fitting }).expect(200);
    });

    it('is told of in the same transaction, or not at all where the old password is wrong', async () => {
      const { organisationId, plain } = await makeCustomer(service);
      const change = (oldPassword: string) =>
        plain.client.post(`${pathOf(plain)}/changepassword`, { oldPassword, password: fitting });
      const told = () =>
        service.sql`SELECT notification_group AS group, type, entity_class AS of, entity_id AS id, user_id AS by
          FROM notifications WHERE organisation_id = ${organisationId}`;
      expect(failingFields(await change('wrong').expect(400))).toEqual(['oldPassword']);
      expect(await told()).toEqual([]);
      await change(PASSWORD).expect(200);
      expect(await told()).toEqual([
        { group: 'System', type: 'password_changed', of: 'User', id: plain.id, by: plain.id },
      ]);
    });

    it('happens once when 16 requests know the same old password', async () => {
      const { plain } = await makeCustomer(service);
      const responses = await atOnce(16, (index) =>
        plain.client.post(`${pathOf(plain)}/changepassword`, {
          oldPassword: PASSWORD,
          password: `Newpass-${10 + index}`,
        }),
      );
      expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    });
  });

  it('POST /login and PATCH …/users cut white space around user names', async () => {
    const { organisationId } = await makeCustomer(service);
    const user = await makeUser(service, { organisationId });
    const spaced = await anonymous(service)
      .post('/login', { username: ` ${user.username}\t`, password: PASSWORD })
      .expect(200);
    expect(spaced.body).toMatchObject({ user: { id: user.id } });
    await admin
      .patch(`/organisations/${organisationId}/users/${user.id}`, {
        username: ` new-${user.username} `,
        firstName: 'Jan',
        lastName: 'de Vries',
      })
      .expect(204);
    await loggedIn(service, `new-${user.username}`, PASSWORD);
  });

  it('PATCH …/users lets a user keep a name that is no address, and take another where the variant has such names', async () => {
    const { organisationId } = await makeCustomer(service);
    const username = `login-${variant}-${organisationId}`;
    const user = await makeUser(service, { organisationId, username });
    const patch = (name: string) =>
      admin.patch(`/organisations/${organisationId}/users/${user.id}`, {
        username: name,
        firstName: 'Piet',
        lastName: 'Puk',
      });
    await patch(username).expect(204);
    const { body } = await admin.get(`/organisations/${organisationId}/users/${user.id}`).expect(200);
    expect(body).toMatchObject({ user: { username, email: '', firstName: 'Piet' } });
    for (const other of [`${username}-2`, username.toUpperCase()]) {
      const answer = await patch(other);
      expect(answer.status).toBe(TAKES_LOGIN_NAMES[variant] ? 204 : 400);
      if (answer.status === 400) expect(failingFields(answer)).toEqual(['username']);
    }
    await patch(`now-an-address-${organisationId}@example.nl`).expect(204);
  });
});
