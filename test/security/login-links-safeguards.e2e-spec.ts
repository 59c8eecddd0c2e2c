import { VARIANTS } from '../../qa/variants';
import { type MadeUser, makeCustomer, makeUser, nextNumber, PASSWORD } from '../support/factories/factories';
import {
  linkedClient,
  LOCAL,
  makeLink,
  makeLinkKey,
  useLink,
} from '../support/factories/login-links-factories';
import { pathOf } from '../support/factories/users-factories';
import { type ApiClient, asAdmin, failingFields } from '../support/service/client';
import { describeSharedService } from '../support/service/shared-services';

const PERSON = { firstName: 'Jan', lastName: 'de Vries' };

describeSharedService(VARIANTS, 'who manages all organisations, in Variant %s', (service) => {
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

  it.each(MANAGING)('loses open links and logins by links with %s', async (role) => {
    const user = await makeUser(service, { organisationId: 1, roles: ['ROLE_MAIL'] });
    const linked = await linkedClient(service, key, user);
    const { token } = await makeLink(key, user);
    await linked.get(pathOf(user)).expect(200);
    await admin.patch(pathOf(user), { ...PERSON, username: user.username, defaultRoles: role }).expect(204);
    await linked.get(pathOf(user)).expect(401);
    await useLink(service, token).expect(401);
    // A login that has shown the password stays.
    await user.client.get(pathOf(user)).expect(200);
  });

  it('keeps them with a role that manages nobody', async () => {
    const user = await makeUser(service, { organisationId: 1, roles: ['ROLE_MAIL'] });
    const linked = await linkedClient(service, key, user);
    await admin
      .patch(pathOf(user), { ...PERSON, username: user.username, defaultRoles: 'ROLE_APP' })
      .expect(204);
    await linked.get(pathOf(user)).expect(200);
  });

  it('loses them with a move into the organisation of the operator', async () => {
    const { custadmin } = await makeCustomer(service);
    const linked = await linkedClient(service, key, custadmin);
    const { token } = await makeLink(key, custadmin);
    await service.sql`UPDATE users SET organisation_id = 1 WHERE id = ${custadmin.id}`;
    await linked.get('/whoami').expect(401);
    await useLink(service, token).expect(401);
    await custadmin.client.get('/whoami').expect(200);
  });

  it('is nobody who logged in by a link, by SQL neither', async () => {
    const user = await makeUser(service, { organisationId: 1, roles: ['ROLE_ADMIN'] });
    await service.sql`
      INSERT INTO logins (user_id, digest, expires_at, address, service_key_name)
      VALUES (${user.id}, sha256('a login of nobody'), now() + interval '1 hour', '127.0.0.1', 'Billing')`;
    expect(
      await service.sql`SELECT FROM logins WHERE user_id = ${user.id} AND service_key_name IS NOT NULL`,
    ).toEqual([]);
  });
});

describeSharedService(VARIANTS, 'a login by a link, in Variant %s', (service, variant) => {
  let key: ApiClient;
  beforeAll(async () => {
    ({ client: key } = await makeLinkKey(service));
  });

  const addressed = () => ({ type: 'email', name: `owner-${nextNumber()}@a.example` });

  async function contactOf({ client, ...user }: MadeUser): Promise<string> {
    const { body } = await client.post(`${pathOf(user)}/contacts`, addressed()).expect(201);
    return `${pathOf(user)}/contacts/${(body as { contact: { id: number } }).contact.id}`;
  }

  /** Each call is refused without the password and with a wrong one, and done with the right one. */
  async function asksForPassword(
    call: (proof: object) => ReturnType<ApiClient['post']>,
    done: number,
  ): Promise<void> {
    const refused = await call({});
    expect([refused.status, failingFields(refused)]).toEqual([400, ['password']]);
    await call({ password: 'wrong' }).expect(401);
    await call({ password: PASSWORD }).expect(done);
  }

  describe('of whose user name is no address', () => {
    it('asks for the password before a contact is made, changed or deleted, because recovery goes there', async () => {
      const { organisationId } = await makeCustomer(service);
      const user = await makeUser(service, { organisationId, username: `login-${nextNumber()}` });
      const contact = await contactOf(user);
      const thief = await linkedClient(service, key, user);
      const contacts = `${pathOf(user)}/contacts`;
      const thiefs = { type: 'email', name: 'thief@evil.example' };
      await asksForPassword((proof) => thief.post(contacts, { ...thiefs, ...proof }), 201);
      await asksForPassword((proof) => thief.put(contact, { ...addressed(), ...proof }), 204);
      await thief.get(contact).expect(200);
      await asksForPassword((proof) => thief.delete(contact).send(proof), 204);
      await thief.get(contact).expect(404);
    });

    it('asks a manager for its own password before contacts of such a colleague', async () => {
      const { custadmin, organisationId } = await makeCustomer(service);
      const user = await makeUser(service, { organisationId, username: `login-${nextNumber()}` });
      const contact = await contactOf(user);
      const thief = await linkedClient(service, key, custadmin);
      await asksForPassword(
        (proof) => thief.post(`${pathOf(user)}/contacts`, { ...addressed(), ...proof }),
        201,
      );
      await asksForPassword((proof) => thief.put(contact, { ...addressed(), ...proof }), 204);
      await asksForPassword((proof) => thief.delete(contact).send(proof), 204);
    });

    it('is the only one that is asked: a login with the password changes contacts without it', async () => {
      const { organisationId } = await makeCustomer(service);
      const user = await makeUser(service, { organisationId, username: `login-${nextNumber()}` });
      const contact = await contactOf(user);
      await user.client.put(contact, addressed()).expect(204);
      await user.client.delete(contact).expect(204);
    });
  });

  it('changes contacts of an organisation, and of users whose name is an address, without the password', async () => {
    const { custadmin, plain, organisationId } = await makeCustomer(service);
    const linked = await linkedClient(service, key, custadmin);
    for (const owner of [pathOf(plain), pathOf(custadmin), `/organisations/${organisationId}`]) {
      const { body } = await linked.post(`${owner}/contacts`, addressed()).expect(201);
      const { id } = (body as { contact: { id: number } }).contact;
      await linked.put(`${owner}/contacts/${id}`, addressed()).expect(204);
      await linked.delete(`${owner}/contacts/${id}`).expect(204);
    }
  });

  it('gets no kept response of a login with the password, which was asked for no proof', async () => {
    const { custadmin, organisationId } = await makeCustomer(service);
    const path = `/organisations/${organisationId}/servicekeys`;
    const send = (client: ApiClient, fields: object, retry = 'billing-1') =>
      client
        .post(path, { name: 'Program', operations: ['users.read'], ...fields })
        .set('Idempotency-Key', retry);
    await send(custadmin.client, {}).expect(201);
    const linked = await linkedClient(service, key, custadmin);
    expect(failingFields(await send(linked, {}).expect(400))).toEqual(['password']);
    const made = await send(linked, { password: PASSWORD }).expect(201);
    expect(made.headers['idempotency-replayed']).toBeUndefined();
    // Its own request again has the same proof, also with the next login by a link.
    for (const client of [linked, await linkedClient(service, key, custadmin)]) {
      const again = await send(client, { password: PASSWORD }).expect(201);
      expect([again.headers['idempotency-replayed'], again.text]).toEqual(['true', made.text]);
      await send(client, {}).expect(422);
    }
    const first = await send(custadmin.client, {}).expect(201);
    expect([first.headers['idempotency-replayed'], first.text === made.text]).toEqual(['true', false]);
  });

  describe('of a manager', () => {
    it('asks for the password before support logins may do more, not before they may do less', async () => {
      const { custadmin, organisationId } = await makeCustomer(service);
      const linked = await linkedClient(service, key, custadmin);
      const path = `/organisations/${organisationId}/supportaccess`;
      await linked.put(path, { access: 'read' }).expect(204);
      await asksForPassword((proof) => linked.put(path, { access: 'write', ...proof }), 204);
      await linked.put(path, { access: 'none' }).expect(204);
      await asksForPassword((proof) => linked.put(path, { access: 'read', ...proof }), 204);
      await custadmin.client.put(path, { access: 'write' }).expect(204);
    });

    if (variant === 'A')
      it('asks for the password before a second factor is demanded, and before it is no more', async () => {
        const { custadmin, organisationId } = await makeCustomer(service);
        const linked = await linkedClient(service, key, custadmin);
        const path = `/organisations/${organisationId}`;
        const fields = { name: 'Sample', taxNumber: 'BE0123456789' };
        const demanded = async () =>
          (
            await service.sql<{ required: boolean }>`
              SELECT required_2fa AS required FROM organisations WHERE id = ${organisationId}`
          )[0]?.required;
        for (const required2fa of [true, false]) {
          for (const method of ['put', 'patch'] as const) {
            const refused = await linked[method](path, { ...fields, required2fa }).expect(400);
            expect(failingFields(refused)).toEqual(['password']);
          }
          expect(await demanded()).toBe(!required2fa);
          await asksForPassword((proof) => linked.put(path, { ...fields, required2fa, ...proof }), 204);
          expect(await demanded()).toBe(required2fa);
          // What is there already is no change.
          await linked.put(path, { ...fields, required2fa }).expect(204);
        }
        await linked.patch(path, { ...fields, city: 'Hasselt' }).expect(204);
        // The demand ended the other logins of the manager. Those of others are asked for nothing.
        const other = await makeCustomer(service);
        await other.custadmin.client
          .put(`/organisations/${other.organisationId}`, { ...fields, required2fa: true })
          .expect(204);
      });
  });
});

describeSharedService(VARIANTS, 'the whitelist of a key that makes login links, in Variant %s', (service) => {
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
