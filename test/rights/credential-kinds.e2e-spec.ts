import type { Test } from 'supertest';
import type { CredentialKind } from '@app/security/context/request-context';
import { VARIANTS } from '../../qa/variants';
import { type MadeUser, makeCustomer, makeUser } from '../support/factories/factories';
import { makeApiKey, makeServiceKey } from '../support/factories/key-factories';
import { makeContact } from '../support/factories/records';
import { makeSupportLogin } from '../support/factories/support-factories';
import { pathOf } from '../support/factories/users-factories';
import type { ApiClient } from '../support/service/client';
import { describeSharedService } from '../support/service/shared-services';

/**
 * Of each kind, what is refused to it although its holder may do it (rule keys 11, rule support 14).
 */
const REFUSED: Readonly<Record<CredentialKind, string | undefined>> = {
  login: undefined,
  support_login: 'SUPPORT_NOT_ALLOWED',
  api_key: 'ACCESS_DENIED',
  service_key: 'ACCESS_DENIED',
};

const SERVICE_KEY_OPERATIONS = ['contacts.*', 'organisations.update', 'supportaccess.update'];

/** What takes a safeguard away asks for a person (rule keys 12). */
const REFUSED_SAFEGUARDS: typeof REFUSED = {
  ...REFUSED,
  api_key: 'API_KEY_REFUSED',
  service_key: 'API_KEY_REFUSED',
};

/** With what each gets, for the titles. */
const kindsOf = (refused: typeof REFUSED) =>
  (Object.keys(refused) as CredentialKind[]).map((kind) => {
    const reason = refused[kind];
    return [kind, reason === undefined ? 'done' : `403 ${reason}`, reason] as const;
  });

describeSharedService(VARIANTS, 'kinds of credentials in Variant %s', (service, variant) => {
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
        (await makeServiceKey(service, organisationId, { operations: SERVICE_KEY_OPERATIONS })).client,
    };
    return clients[kind]();
  }

  it.each(kindsOf(REFUSED))(
    'POST, PUT and DELETE …/contacts, through which a user name that is no address is recovered, by %s: %s',
    async (kind, _, reason) => {
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
    },
  );

  /** The response to a request, and what is stored afterwards. */
  async function outcomeOf(call: Test, stored: () => Promise<unknown>): Promise<object> {
    const { status, body } = await call;
    return { status, reason: (body as { reason?: string }).reason, stored: await stored() };
  }

  it.each(kindsOf(REFUSED_SAFEGUARDS))(
    'PUT and PATCH /organisations/{organisationId}: required2fa from true to false by %s: %s (Variant B ignores it)',
    async (kind, _, reason) => {
      const customer = await makeCustomer(service, { required2fa: true });
      const { organisationId } = customer;
      const client = await clientOf(kind, customer);
      const stored = async (): Promise<unknown> =>
        (await service.sql`SELECT required_2fa FROM organisations WHERE id = ${organisationId}`)[0];
      for (const send of [client.put, client.patch]) {
        const demand = (required2fa: boolean) =>
          outcomeOf(
            send(`/organisations/${organisationId}`, { name: 'N', taxNumber: 'T', required2fa }),
            stored,
          );
        // The stored value is no change, in either direction.
        expect(await demand(true)).toMatchObject({ status: 204, stored: { required_2fa: true } });
        // Variant B ignores the field.
        const isRefused = variant === 'A' && reason !== undefined;
        const isChanged = variant === 'A' && reason === undefined;
        expect(await demand(false)).toEqual({
          status: isRefused ? 403 : 204,
          reason: isRefused ? reason : undefined,
          stored: { required_2fa: !isChanged },
        });
        await service.sql`UPDATE organisations SET required_2fa = true WHERE id = ${organisationId}`;
      }
    },
  );

  it.each(kindsOf(REFUSED_SAFEGUARDS).filter(([kind]) => kind !== 'support_login'))(
    'PUT …/supportaccess to more than before by %s: %s',
    async (kind, _, reason) => {
      const customer = await makeCustomer(service);
      const { organisationId } = customer;
      const client = await clientOf(kind, customer);
      const set = (access: string) =>
        client.put(`/organisations/${organisationId}/supportaccess`, { access });
      const store = (access: string) =>
        service.sql`INSERT INTO support_access AS a (organisation_id, access) VALUES (${organisationId}, ${access})
        ON CONFLICT ON CONSTRAINT support_access_once DO UPDATE SET access = EXCLUDED.access`;
      const stored = async (): Promise<unknown> =>
        (await service.sql`SELECT access FROM support_access WHERE organisation_id = ${organisationId}`)[0];
      // Without a row it is to read.
      expect(await outcomeOf(set('write'), stored)).toMatchObject(
        reason === undefined ? { status: 204 } : { status: 403, reason },
      );
      for (const [before, after] of [
        ['none', 'read'],
        ['none', 'write'],
        ['read', 'write'],
      ] as const) {
        await store(before);
        expect(await outcomeOf(set(after), stored)).toEqual(
          reason === undefined
            ? { status: 204, reason: undefined, stored: { access: after } }
            : { status: 403, reason, stored: { access: before } },
        );
        await set(before).expect(204);
      }
      for (const [before, after] of [
        ['write', 'read'],
        ['write', 'none'],
        ['read', 'none'],
      ] as const) {
        await store(before);
        expect(await outcomeOf(set(after), stored)).toMatchObject({ status: 204, stored: { access: after } });
      }
    },
  );
});
