import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { addFirstContact } from '@app/people/contacts/first-contact';
import { contactRecord, preferences } from '../../qa/responses';
import { type PerVariant, VARIANTS } from '../../qa/variants';
import { type MadeUser, makeCustomer } from '../support/factories/factories';
import { makeContact } from '../support/factories/records';
import { asAdmin, failingFields } from '../support/service/client';
import { describeSharedService } from '../support/service/shared-services';

const GROUPS = ['System', 'Domain', 'App', 'Finance', 'Job', 'Crm', 'Mail'];

type Created = { contact: { id: number } };

/** Where contacts live, and who may manage them there. */
interface Base {
  readonly path: string;
  readonly manager: MadeUser;
  readonly owner: { organisationId: number; userId?: number };
  /** The same collection of another customer. */
  readonly elsewhere: string;
}

/** Who may have contacts. */
const OWNERS: PerVariant<readonly ('a user' | 'an organisation')[]> = {
  A: ['a user'],
  B: ['a user', 'an organisation'],
};

describeSharedService(VARIANTS, 'POST, PUT and DELETE …/contacts in Variant %s', (service, variant) => {
  describe.each(OWNERS[variant])('of %s', (kind) => {
    let base: Base;

    beforeEach(async () => {
      const customer = await makeCustomer(service);
      const other = await makeCustomer(service);
      const { organisationId } = customer;
      const ofUser = kind === 'a user';
      base = ofUser
        ? {
            path: `/organisations/${organisationId}/users/${customer.plain.id}/contacts`,
            manager: customer.plain,
            owner: { organisationId, userId: customer.plain.id },
            elsewhere: `/organisations/${other.organisationId}/users/${other.plain.id}/contacts`,
          }
        : {
            path: `/organisations/${organisationId}/contacts`,
            manager: customer.custadmin,
            owner: { organisationId },
            elsewhere: `/organisations/${other.organisationId}/contacts`,
          };
    });

    const create = async (body: object): Promise<number> =>
      ((await base.manager.client.post(base.path, body).expect(201)).body as Created).contact.id;

    it('POST …/contacts: a phone number counts as phones and web pages hand it over', async () => {
      const phone = await create({ type: 'phone', name: '\u202d+31\u00a020\u00a0123\u00a04567\u202c' });
      const { body } = await base.manager.client.get(`${base.path}/${phone}`);
      expect(body).toMatchObject({ contact: { name: '+31201234567' } });
      for (const name of ['0031 20 123 4567', '+31\u201120\u2011123\u20114567'])
        await base.manager.client.post(base.path, { type: 'phone', name }).expect(400, /ALREADY/);
    });

    it('POST …/contacts: a phone number is kept in one form, and no group is on unless asked', async () => {
      const phone = await create({ type: 'phone', name: '+31 20 123-4567' });
      const { body } = await base.manager.client.get(`${base.path}/${phone}`);
      expect(body).toEqual({
        contact: contactRecord({ id: phone, type: 'phone', name: '+31201234567' }),
      });
    });

    it('PUT …/contacts: groups that are left out stay, and an empty text takes them all away', async () => {
      const { client } = base.manager;
      const id = await create({ type: 'email', name: 'Jan@Example.com', preferences: 'Mail, System' });
      const changed = async (body: object): Promise<unknown> => {
        await client
          .put(`${base.path}/${id}`, { type: 'email', name: 'Piet@Example.com', ...body })
          .expect(204);
        return (await client.get(`${base.path}/${id}`).expect(200)).body;
      };
      const contact = { id, name: 'Piet@Example.com' };
      expect(await changed({})).toEqual({
        contact: contactRecord({ ...contact, preferences: preferences('System', 'Mail') }),
      });
      expect(await changed({ preferences: '' })).toEqual({ contact: contactRecord(contact) });
    });

    it('POST …/contacts: an address is there once for each owner and type, without regard to case', async () => {
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
  });

  it('POST …/contacts: what is wrong with fields by themselves comes before rules that need more than the field', async () => {
    const { plain, organisationId } = await makeCustomer(service);
    const path = `/organisations/${organisationId}/users/${plain.id}/contacts`;
    const wrong = { type: 'email', name: 'no address', preferences: 'Weather' };
    expect(failingFields(await plain.client.post(path, wrong).expect(400))).toEqual(['preferences']);
  });

  it('POST and PUT …/contacts: white space around an address is cut', async () => {
    const { plain, organisationId } = await makeCustomer(service);
    const { body } = await plain.client
      .post(`/organisations/${organisationId}/users/${plain.id}/contacts`, {
        type: 'email',
        name: '  spaced@example.nl ',
      })
      .expect(201);
    expect(body).toMatchObject({ contact: { name: 'spaced@example.nl' } });
  });

  const contactsOf = (userId: number) =>
    service.sql`SELECT type, name, groups FROM contacts WHERE user_id = ${userId} ORDER BY id`;

  it('DELETE …/users: contacts go with their user, even those made at that moment', async () => {
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
    expect(await service.sql`SELECT 1 FROM contacts WHERE id = ${kept}`).toHaveLength(1);
  });

  it('POST /registerInvitation: a new user has its address as first contact, with all groups', async () => {
    const { plain } = await makeCustomer(service);
    const { manager } = service.app.get<DataSource>(getDataSourceToken());
    await addFirstContact(manager, plain.id, 'a login name');
    expect(await contactsOf(plain.id)).toEqual([]);
    await addFirstContact(manager, plain.id, 'New@example.com');
    await addFirstContact(manager, plain.id, 'new@example.com');
    expect(await contactsOf(plain.id)).toEqual([{ type: 'email', name: 'New@example.com', groups: GROUPS }]);
  });
});
