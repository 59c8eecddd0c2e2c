import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { addFirstContact } from '@app/contacts/first-contact';
import { asAdmin } from './support/client';
import { makeContact } from './support/contacts-factories';
import { makeCustomer, makeUser, type MadeUser } from './support/factories';
import { startTestService, type TestService } from './support/service';
import { TAKES_TAG, VARIANTS, type PerVariant } from './support/variants';
import { failingFields } from './support/responses';

const GROUPS = ['System', 'Domain', 'App', 'Finance', 'Job', 'Crm', 'Mail'];

/** The preferences of an answer with these groups enabled. */
const preferences = (...enabled: string[]) => GROUPS.map((name) => ({ name, value: enabled.includes(name) }));

type Created = { contact: { id: number } };

/** Where contacts live, and who may manage them there. */
interface Base {
  readonly path: string;
  readonly manager: MadeUser;
  /** In the organisation, without the right to any of it. */
  readonly refused: MadeUser;
  /** 403 or 500: what `refused` gets. */
  readonly refusal: number;
  readonly owner: { organisationId: number; userId?: number };
  /** The same collection of another customer. */
  readonly elsewhere: string;
}

/** Who may have contacts. */
const OWNERS: PerVariant<readonly ('a user' | 'an organisation')[]> = {
  A: ['a user'],
  B: ['a user', 'an organisation'],
};

const CASES = VARIANTS.flatMap((variant) => OWNERS[variant].map((owner) => [variant, owner] as const));

describe.each(CASES)('contacts in Variant %s of %s', (variant, kind) => {
  let service: TestService;
  let base: Base;
  let foreignContact: number;

  beforeAll(async () => {
    service = await startTestService(variant);
  });
  afterAll(() => service.stop());

  beforeEach(async () => {
    const [customer, other] = [await makeCustomer(service), await makeCustomer(service)];
    const { organisationId } = customer;
    const ofUser = kind === 'a user';
    base = ofUser
      ? {
          path: `/organisations/${organisationId}/users/${customer.plain.id}/contacts`,
          manager: customer.plain,
          refused: await makeUser(service, { organisationId }),
          refusal: 403,
          owner: { organisationId, userId: customer.plain.id },
          elsewhere: `/organisations/${other.organisationId}/users/${other.plain.id}/contacts`,
        }
      : {
          path: `/organisations/${organisationId}/contacts`,
          manager: customer.custadmin,
          refused: customer.plain,
          refusal: 500,
          owner: { organisationId },
          elsewhere: `/organisations/${other.organisationId}/contacts`,
        };
    // In the way of every list: another customer's contacts, and the other kind of the same customer.
    foreignContact = await makeContact(service, {
      organisationId: other.organisationId,
      ...(ofUser && { userId: other.plain.id }),
    });
    await makeContact(service, { organisationId, ...(!ofUser && { userId: customer.plain.id }) });
    await makeContact(service, { organisationId, userId: customer.custadmin.id });
  });

  const create = async (body: object): Promise<number> =>
    ((await base.manager.client.post(base.path, body).expect(201)).body as Created).contact.id;

  it('creates, reads, changes and deletes', async () => {
    const { client } = base.manager;
    const { body } = await client
      .post(base.path, { type: 'email', name: 'Jan@Example.com', preferences: 'Mail, System' })
      .expect(201);
    const { id } = (body as Created).contact;
    const contact = {
      id,
      type: 'email',
      name: 'Jan@Example.com',
      preferences: preferences('System', 'Mail'),
    };
    expect(body).toEqual({ contact });
    expect((await client.get(`${base.path}/${id}`).expect(200)).body).toEqual({ contact });
    expect((await client.get(base.path).expect(200)).body).toEqual({ contacts: [contact] });

    await client.put(`${base.path}/${id}`, { type: 'email', name: 'piet@example.com' }).expect(204);
    const changed = { ...contact, name: 'piet@example.com' };
    expect((await client.get(`${base.path}/${id}`)).body).toEqual({ contact: changed });
    await client
      .put(`${base.path}/${id}`, { type: 'email', name: 'piet@example.com', preferences: '' })
      .expect(204);
    expect((await client.get(`${base.path}/${id}`)).body).toEqual({
      contact: { ...changed, preferences: preferences() },
    });

    expect((await client.delete(`${base.path}/${id}`).expect(204)).text).toBe('');
    await client.get(`${base.path}/${id}`).expect(404);
    await client.delete(`${base.path}/${id}`).expect(404);
    expect((await client.get(base.path)).body).toEqual({ contacts: [] });
  });

  it('keeps phone numbers in one form and enables no group unless asked', async () => {
    const phone = await create({ type: 'phone', name: '+31 20 123-4567' });
    const { body } = await base.manager.client.get(`${base.path}/${phone}`);
    expect(body).toEqual({
      contact: { id: phone, type: 'phone', name: '+31201234567', preferences: preferences() },
    });
  });

  it.each([
    [{ name: 'jan@example.com' }, 'type'],
    [{ type: 'fax', name: '+31201234567' }, 'type'],
    [{ type: 'email' }, 'name'],
    [{ type: 'email', name: ' ' }, 'name'],
    [{ type: 'email', name: 'jan at example.com' }, 'name'],
    [{ type: 'email', name: '"evil@x y"@victim.example' }, 'name'],
    [{ type: 'email', name: `${'a'.repeat(300)}@example.com` }, 'name'],
    [{ type: 'phone', name: '0201234567' }, 'name'],
    [{ type: 'slack', name: 'Not A Channel' }, 'name'],
    [{ type: 'slack', name: 'nul\0' }, 'name'],
    [{ type: 'email', name: 'jan@example.com', preferences: 'System,Weather' }, 'preferences'],
    [{ type: 'email', name: 'jan@example.com', preferences: 'system' }, 'preferences'],
    [{ type: 'email', name: 'jan@example.com', preferences: ['System'] }, 'preferences'],
  ])('refuses %j on %s', async (body, field) => {
    const response = await base.manager.client.post(base.path, body).expect(400);
    expect(failingFields(response)).toEqual([field]);
    expect((await base.manager.client.get(base.path)).body).toEqual({ contacts: [] });
  });

  it('takes an address once for each owner and type, without regard to case', async () => {
    const { client } = base.manager;
    await create({ type: 'email', name: 'jan@example.com' });
    const other = await create({ type: 'email', name: 'piet@example.com' });
    const again = await client.post(base.path, { type: 'email', name: 'JAN@example.com' }).expect(400);
    expect(again.body).toMatchObject({ errors: { children: { name: { errors: [expect.any(String)] } } } });
    await client.put(`${base.path}/${other}`, { type: 'email', name: 'Jan@example.com' }).expect(400);
    // The same name as a channel is another contact, and so is the same address of another owner.
    await create({ type: 'slack', name: 'jan' });
    const admin = await asAdmin(service);
    await admin.post(base.elsewhere, { type: 'email', name: 'jan@example.com' }).expect(201);
  });

  it('takes an address once when 16 requests bring it at once', async () => {
    const responses = await Promise.all(
      Array.from({ length: 16 }, () =>
        base.manager.client.post(base.path, { type: 'email', name: 'race@example.com' }),
      ),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(15).fill(400)]);
  });

  it('never changes the type', async () => {
    const id = await create({ type: 'email', name: 'jan@example.com' });
    const response = await base.manager.client
      .put(`${base.path}/${id}`, { type: 'slack', name: 'ops' })
      .expect(400);
    expect(response.body).toMatchObject({ errors: { children: { type: { errors: [expect.any(String)] } } } });
    await base.manager.client.put(`${base.path}/${id}`, { name: 'jan@example.com' }).expect(400);
    expect((await base.manager.client.get(`${base.path}/${id}`)).body).toMatchObject({
      contact: { type: 'email', name: 'jan@example.com' },
    });
  });

  it('pages, orders and filters', async () => {
    const { client } = base.manager;
    for (const name of ['c@example.com', 'a%b@example.com', 'b@example.com']) {
      await makeContact(service, { ...base.owner, name });
    }
    const names = async (query: string): Promise<string[]> => {
      const { body } = await client.get(`${base.path}?${query}`).expect(200);
      return (body as { contacts: { name: string }[] }).contacts.map(({ name }) => name);
    };
    expect(await names('')).toEqual(['c@example.com', 'a%b@example.com', 'b@example.com']);
    expect(await names('orderBy=name')).toEqual(['a%b@example.com', 'b@example.com', 'c@example.com']);
    expect(await names('orderBy=type&orderType=desc&limit=2')).toEqual(['b@example.com', 'a%b@example.com']);
    expect(await names('filter=B@EX')).toEqual(['a%b@example.com', 'b@example.com']);
    expect(await names('filter=%25')).toEqual(['a%b@example.com']);
    expect(await names('tag=x')).toHaveLength(TAKES_TAG[variant] ? 0 : 3);
    const page = await client.get(`${base.path}?limit=1&offset=1`).expect(200);
    expect(page.headers['link']).toBe(`</v1${base.path}?limit=1&offset=2>; rel="next"`);
    await client.get(`${base.path}?orderBy=preferences`).expect(400);
  });

  it('is for its managers, and knows no contact of anybody else', async () => {
    const id = await create({ type: 'email', name: 'jan@example.com' });
    const { client } = base.refused;
    const body = { type: 'email', name: 'x@example.com' };
    await client.get(base.path).expect(base.refusal);
    await client.post(base.path, body).expect(base.refusal);
    await client.get(`${base.path}/${id}`).expect(base.refusal);
    await client.put(`${base.path}/${id}`, body).expect(base.refusal);
    await client.delete(`${base.path}/${id}`).expect(base.refusal);
    for (const path of [`${base.path}/${foreignContact}`, `${base.path}/0`, `${base.path}/x`]) {
      await base.manager.client.get(path).expect(404);
      await base.manager.client.put(path, body).expect(404);
      await base.manager.client.delete(path).expect(404);
    }
    await base.manager.client.get(base.elsewhere).expect(403);
    await base.manager.client.get(`${base.elsewhere}/${foreignContact}`).expect(403);
  });
});

describe('contacts', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService('A');
  });
  afterAll(() => service.stop());

  const contactsOf = (userId: number) =>
    service.sql('SELECT type, name, groups FROM contacts WHERE user_id = $1 ORDER BY id', [userId]);

  it('of organisations are unknown to Variant A', async () => {
    const { organisationId, custadmin } = await makeCustomer(service);
    await custadmin.client.get(`/organisations/${organisationId}/contacts`).expect(404);
    await custadmin.client
      .post(`/organisations/${organisationId}/contacts`, { type: 'email', name: 'jan@example.com' })
      .expect(404);
  });

  it('go with their user, even those made at that moment', async () => {
    const { organisationId, custadmin, plain } = await makeCustomer(service);
    const kept = await makeContact(service, { organisationId, userId: custadmin.id });
    const path = `/organisations/${organisationId}/users/${plain.id}`;
    await makeContact(service, { organisationId, userId: plain.id });
    const [deleted] = await Promise.all([
      custadmin.client.delete(path),
      ...Array.from({ length: 15 }, (_, index) =>
        custadmin.client.post(`${path}/contacts`, { type: 'email', name: `c${index}@example.com` }),
      ),
    ]);
    expect(deleted?.status).toBe(204);
    expect(await contactsOf(plain.id)).toEqual([]);
    expect(await service.sql('SELECT 1 FROM contacts WHERE id = $1', [kept])).toHaveLength(1);
  });

  it('go with their organisation', async () => {
    const { organisationId, custadmin, plain } = await makeCustomer(service);
    await makeContact(service, { organisationId });
    await makeContact(service, { organisationId, userId: plain.id });
    const admin = await asAdmin(service);
    for (const { id } of [custadmin, plain]) {
      await service.sql('UPDATE users SET enabled = false WHERE id = $1', [id]);
    }
    await admin.delete(`/organisations/${organisationId}`).expect(204);
    expect(await service.sql('SELECT 1 FROM contacts WHERE organisation_id = $1', [organisationId])).toEqual(
      [],
    );
  });

  it('begin with the address of a new user, with all groups', async () => {
    const { plain } = await makeCustomer(service);
    const { manager } = service.app.get<DataSource>(getDataSourceToken());
    await addFirstContact(manager, plain.id, 'a login name');
    expect(await contactsOf(plain.id)).toEqual([]);
    await addFirstContact(manager, plain.id, 'New@example.com');
    await addFirstContact(manager, plain.id, 'new@example.com');
    expect(await contactsOf(plain.id)).toEqual([{ type: 'email', name: 'New@example.com', groups: GROUPS }]);
  });
});
