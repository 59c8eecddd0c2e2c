import type { CredentialKind } from '@app/platform/context/request-context';
import { makeCustomer, makeUser, type MadeUser } from '../support/factories/factories';
import { makeApiKey, makeServiceKey, makeSupportLogin } from '../support/factories/key-factories';
import { makeContact } from '../support/factories/records';
import { pathOf } from '../support/factories/users-factories';
import type { ApiClient } from '../support/service/client';
import { describeService } from '../support/service/service';
import { VARIANTS } from '../support/service/variants';

/** Of each kind, what is refused to it although its holder may do it (decisions.md sections 11, 12.1, 12.8 and 14.4). */
const REFUSED: Readonly<Record<CredentialKind, string | undefined>> = {
  login: undefined,
  support_login: 'SUPPORT_NOT_ALLOWED',
  api_key: 'ACCESS_DENIED',
  service_key: 'ACCESS_DENIED',
};

const KINDS = Object.entries(REFUSED) as [CredentialKind, string | undefined][];

describeService(VARIANTS, 'kinds of credentials in Variant %s', (service) => {
  async function clientOf(
    kind: CredentialKind,
    { custadmin, organisationId }: { readonly custadmin: MadeUser; readonly organisationId: number },
  ): Promise<ApiClient> {
    const clients: Readonly<Record<CredentialKind, () => Promise<ApiClient>>> = {
      login: () => Promise.resolve(custadmin.client),
      support_login: async () => {
        await service.sql`INSERT INTO support_access (organisation_id, access) VALUES (${organisationId}, 'write')`;
        const staff = await makeUser(service, { organisationId: 1, roles: ['ROLE_ADMIN'] });
        return makeSupportLogin(service, custadmin.id, staff.id, { write: true });
      },
      api_key: async () => (await makeApiKey(service, custadmin.id)).client,
      service_key: async () =>
        (await makeServiceKey(service, organisationId, { operations: ['contacts.*'] })).client,
    };
    return clients[kind]();
  }

  it.each(KINDS)('%s: contacts that recovery mail goes to', async (kind, reason) => {
    const customer = await makeCustomer(service);
    const { organisationId, plain } = customer;
    const client = await clientOf(kind, customer);
    const named = await makeUser(service, { organisationId, username: `named.${organisationId}` });
    const contactOf = (user: MadeUser) =>
      makeContact(service, { organisationId, userId: user.id, name: `own${user.id}@example.com` });
    const writes = async (user: MadeUser) => {
      const id = await contactOf(user);
      const contacts = `${pathOf(user)}/contacts`;
      return [
        [client.post(contacts, { type: 'email', name: `new${user.id}@example.com` }), 201],
        [client.put(`${contacts}/${id}`, { type: 'email', name: `other${user.id}@example.com` }), 204],
        [client.delete(`${contacts}/${id}`), 204],
      ] as const;
    };
    for (const [call, status] of await writes(named)) {
      const { body } = await call.expect(reason === undefined ? status : 403);
      if (reason !== undefined) expect(body).toMatchObject({ code: 403, reason });
    }
    for (const [call, status] of await writes(plain)) await call.expect(status);
    if (reason === undefined) return;
    const kept = await service.sql`SELECT name FROM contacts WHERE user_id = ${named.id}`;
    expect(kept).toEqual([{ name: `own${named.id}@example.com` }]);
  });
});
