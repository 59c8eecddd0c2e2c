import type { Operation } from '@app/security/access/privileges';
import { type PerVariant, VARIANTS } from '../../qa/variants';
import {
  type Customer,
  makeCustomer,
  makeGrant,
  makeOrganisation,
  makeUser,
  nextNumber,
} from '../support/factories/factories';
import { makeInvitation } from '../support/factories/invitations-factories';
import { linkedClient, makeLinkKey } from '../support/factories/login-links-factories';
import { makeContact, makeTeam } from '../support/factories/records';
import { makeSupportLogin } from '../support/factories/support-factories';
import { pathOf } from '../support/factories/users-factories';
import { pathOfCell } from '../support/generators/access-cells';
import { furnish, NO_RELATION, type Place, REGISTERED_ENTITY } from '../support/generators/access-world';
import { type DescribedRoute, Interface, nameOfRoute } from '../support/generators/interface';
import { verdictOn } from '../support/service/access-verdicts';
import type { ApiClient } from '../support/service/client';
import { type TestService, useService } from '../support/service/service';
import { IMPERSONATED_LOGINS, type ImpersonatedLogin, refusalTo, RIGHTS } from './impersonation-table';

/** Operations that a variant has no route for, or none without a setting. */
const NOT_SERVED: PerVariant<RegExp> = {
  A: /^(acls|testClock)\.|^users\.(create|update)Migrated$/,
  B: /^(apikeys|passkeys|preferences|recoveryCodes|testClock|tokens2fa)\.|^users\.(en|dis)able2fa$/,
};

type Clients = Readonly<Record<ImpersonatedLogin, ApiClient>>;

/** Impersonated logins of a manager whose organisation lets support logins write. */
async function impersonatorsOf(
  service: TestService,
  { custadmin, organisationId }: Customer,
): Promise<Clients> {
  await service.sql`INSERT INTO support_access (organisation_id, access) VALUES (${organisationId}, 'write')`;
  const staff = await makeUser(service, { organisationId: 1, roles: ['ROLE_ADMIN'] });
  const { client: key } = await makeLinkKey(service);
  return {
    'support login': await makeSupportLogin(service, custadmin.id, staff.id),
    'support login with write': await makeSupportLogin(service, custadmin.id, staff.id, { write: true }),
    'login by a link': await linkedClient(service, key, custadmin),
  };
}

const names = { firstName: 'Jan', lastName: 'de Vries' };
const contact = () => ({ type: 'email', name: `contact${nextNumber()}@example.com`, preferences: 'Crm' });
const fields = { name: 'Sample', taxNumber: 'BE0123456789' };

interface Sent {
  readonly method: 'post' | 'put' | 'patch' | 'delete';
  readonly path: string;
  readonly body?: object;
  readonly status: number;
}

/** What support logins with `write` and logins by links may do beyond reading. Each makes what it needs. */
const COVERED: Readonly<Record<string, (service: TestService, customer: Customer) => Promise<Sent>>> = {
  'organisations.create': () =>
    Promise.resolve({ method: 'post', path: '/organisations', body: fields, status: 201 }),
  'organisations.update': (_, { organisationId }) =>
    Promise.resolve({ method: 'put', path: `/organisations/${organisationId}`, body: fields, status: 204 }),
  'organisations.delete': async (service, { organisationId: parentId }) => ({
    method: 'delete',
    path: `/organisations/${await makeOrganisation(service, { parentId })}`,
    status: 204,
  }),
  'users.update': (_, { plain }) =>
    Promise.resolve({
      method: 'patch',
      path: pathOf(plain),
      body: { ...names, username: plain.username },
      status: 204,
    }),
  'preferences.update': (_, { custadmin }) =>
    Promise.resolve({
      method: 'patch',
      path: `${pathOf(custadmin)}/preferences`,
      body: { darkTheme: true },
      status: 204,
    }),
  'invitations.delete': async (service, { organisationId, custadmin }) => {
    const { id } = await makeInvitation(service, { organisationId, inviterId: custadmin.id });
    return { method: 'delete', path: `/organisations/${organisationId}/invitations/${id}`, status: 204 };
  },
  'teams.create': (_, { organisationId }) =>
    Promise.resolve({
      method: 'post',
      path: `/organisations/${organisationId}/teams`,
      body: { name: `Team ${nextNumber()}` },
      status: 201,
    }),
  'teams.update': async (service, { organisationId }) => ({
    method: 'put',
    path: `/organisations/${organisationId}/teams/${await makeTeam(service, organisationId)}`,
    body: { name: `Team ${nextNumber()}` },
    status: 204,
  }),
  'teams.delete': async (service, { organisationId }) => ({
    method: 'delete',
    path: `/organisations/${organisationId}/teams/${await makeTeam(service, organisationId)}`,
    status: 204,
  }),
  'organisationContacts.create': (_, { organisationId }) =>
    Promise.resolve({
      method: 'post',
      path: `/organisations/${organisationId}/contacts`,
      body: contact(),
      status: 201,
    }),
  'organisationContacts.update': async (service, { organisationId }) => ({
    method: 'put',
    path: `/organisations/${organisationId}/contacts/${await makeContact(service, { organisationId })}`,
    body: contact(),
    status: 204,
  }),
  'organisationContacts.delete': async (service, { organisationId }) => ({
    method: 'delete',
    path: `/organisations/${organisationId}/contacts/${await makeContact(service, { organisationId })}`,
    status: 204,
  }),
  'notifications.create': (_, { organisationId }) =>
    Promise.resolve({
      method: 'post',
      path: `/organisations/${organisationId}/notifications`,
      body: { type: 'alert', group: 'App', params: { subject: 'Disk', message: 'Nearly full' } },
      status: 201,
    }),
  // The user itself gets this 500, as admins alone change billing.
  'billing.update': (_, { organisationId }) =>
    Promise.resolve({
      method: 'put',
      path: `/organisations/${organisationId}/billing`,
      body: {},
      status: 500,
    }),
};

/** What support logins with `write` may do, and logins by links may not. */
const FOR_STAFF: typeof COVERED = {
  'organisations.setEnabled': async (service, { organisationId: parentId }) => ({
    method: 'post',
    path: `/organisations/${await makeOrganisation(service, { parentId })}/actions`,
    body: { type: 'disable' },
    status: 200,
  }),
  'contacts.create': (_, { plain }) =>
    Promise.resolve({ method: 'post', path: `${pathOf(plain)}/contacts`, body: contact(), status: 201 }),
  'contacts.update': async (service, { plain, organisationId }) => {
    const id = await makeContact(service, { organisationId, userId: plain.id });
    return { method: 'put', path: `${pathOf(plain)}/contacts/${id}`, body: contact(), status: 204 };
  },
  'contacts.delete': async (service, { plain, organisationId }) => {
    const id = await makeContact(service, { organisationId, userId: plain.id });
    return { method: 'delete', path: `${pathOf(plain)}/contacts/${id}`, status: 204 };
  },
};

describe.each(VARIANTS)('support logins and logins by a link in Variant %s', (variant) => {
  const service = useService(variant);
  let customer: Customer;
  let clients: Clients;
  let routes: (DescribedRoute & { readonly operation: Operation })[];
  let places: readonly Place[];
  beforeAll(async () => {
    customer = await makeCustomer(service);
    const { organisationId, custadmin, plain } = customer;
    clients = await impersonatorsOf(service, customer);
    routes = (await Interface.of(service)).routes.flatMap((route) =>
      route.operation === undefined ? [] : [{ ...route, operation: route.operation }],
    );
    const beneath = await makeCustomer(service, { parentId: organisationId });
    await service.sql`INSERT INTO entities (kind, object_id, organisation_id, name, domains)
      SELECT kind, ${REGISTERED_ENTITY}, ${organisationId}, 'entity', CASE kind WHEN 'mailgroup' THEN '[]'::jsonb END
      FROM unnest(ARRAY['app', 'domain', 'mailgroup', 'system']) kind`;
    const own = { name: 'own', organisationId, relation: { ...NO_RELATION, own: true } };
    const below = {
      name: 'beneath',
      organisationId: beneath.organisationId,
      relation: { ...NO_RELATION, beneath: true },
    };
    places = [
      await furnish(service, own, [custadmin, plain]),
      await furnish(service, below, [beneath.plain]),
    ];
  });

  interface Asked {
    readonly route: (typeof routes)[number];
    readonly path: string;
  }
  const askedAt = (place: Place): Asked[] =>
    routes.flatMap((route) => {
      const users = route.path.includes(':userId') ? place.users : [undefined];
      return users.map((user) => ({ route, path: pathOfCell({ route, place, user }) }));
    });

  describe.each(IMPERSONATED_LOGINS)('with a %s', (login) => {
    it('the access check of every operation refuses what impersonation-table.ts refuses, and answers the rest as to its user', async () => {
      const mismatches: string[] = [];
      const operations = new Set<Operation>();
      for (const { route, path } of places.flatMap(askedAt)) {
        const methods = route.method === 'GET' ? ['GET', 'HEAD'] : [route.method];
        operations.add(route.operation);
        for (const method of methods) {
          const refusal = refusalTo(login, { method, operation: route.operation });
          const expected =
            refusal === undefined
              ? await verdictOn(service, customer.custadmin.client, method, path)
              : `403 ${refusal}`;
          const verdict = await verdictOn(service, clients[login], method, path);
          if (verdict !== expected) mismatches.push(`${method} ${path} is ${expected}, was ${verdict}`);
        }
      }
      expect(mismatches).toEqual([]);
      const served = Object.keys(RIGHTS).filter((operation) => !NOT_SERVED[variant].test(operation));
      expect([...operations].sort()).toEqual(served.sort());
    });

    it('every route that impersonation-table.ts refuses is 403 with its reason', async () => {
      const mismatches: string[] = [];
      const controllers = new Set<string>();
      for (const { route, path } of askedAt(places[0] as Place)) {
        const refusal = refusalTo(login, route);
        if (refusal === undefined) continue;
        controllers.add(route.controller.name);
        const { status, body } = await clients[login].call(route.verb, path.replace('/v1', '')).send({});
        const { reason } = body as { reason?: string };
        if (status !== 403 || reason !== refusal)
          mismatches.push(`${nameOfRoute(route)} is 403 ${refusal}, was ${status} ${reason}`);
      }
      expect(mismatches).toEqual([]);
      expect(controllers.size).toBeGreaterThan(15);
    });

    it('every GET that impersonation-table.ts allows has the status that its user gets', async () => {
      const mismatches: string[] = [];
      for (const { route, path } of askedAt(places[0] as Place)) {
        if (route.method !== 'GET' || refusalTo(login, route) !== undefined) continue;
        const own = await customer.custadmin.client.get(path.replace('/v1', ''));
        const { status } = await clients[login].get(path.replace('/v1', ''));
        if (status !== own.status) mismatches.push(`${nameOfRoute(route)} is ${own.status}, was ${status}`);
      }
      expect(mismatches).toEqual([]);
    });
  });

  /** The status and the reason of an answer. */
  const answerTo = async (login: ImpersonatedLogin, { method, path, body }: Sent): Promise<string> => {
    const answer = await clients[login].call(method, path).send(body);
    const { reason } = answer.body as { reason?: string };
    return answer.status >= 400 ? `${answer.status} ${reason}` : String(answer.status);
  };

  const isServed = ([operation]: [string, unknown]): boolean => !NOT_SERVED[variant].test(operation);

  it.each(Object.entries(COVERED).filter(isServed))(
    '%s with write and by a link is answered as to its user, and without write 403 SUPPORT_READ_ONLY',
    async (_, make) => {
      for (const login of IMPERSONATED_LOGINS) {
        const sent = await make(service, customer);
        const done = sent.status === 500 ? '500 ROLE_REQUIRED' : String(sent.status);
        const expected = login === 'support login' ? '403 SUPPORT_READ_ONLY' : done;
        expect([login, await answerTo(login, sent)]).toEqual([login, expected]);
      }
    },
  );

  it.each(Object.entries(FOR_STAFF))(
    '%s is done with write, 403 SUPPORT_READ_ONLY without it, and 403 LOG_IN_WITH_PASSWORD by a link',
    async (_, make) => {
      const ANSWERS = {
        'support login': '403 SUPPORT_READ_ONLY',
        'login by a link': '403 LOG_IN_WITH_PASSWORD',
      };
      for (const login of IMPERSONATED_LOGINS) {
        const sent = await make(service, customer);
        const expected = { 'support login with write': String(sent.status), ...ANSWERS }[login];
        expect([login, await answerTo(login, sent)]).toEqual([login, expected]);
      }
    },
  );

  describe.each(['support login with write', 'login by a link'] as const)('with a %s', (login) => {
    const refused = {
      code: 403,
      reason: login === 'login by a link' ? 'LOG_IN_WITH_PASSWORD' : 'SUPPORT_NOT_ALLOWED',
    };

    it('PATCH …/users with another user name or role, and PUT of required2fa, are 403', async () => {
      const { plain, custadmin, organisationId } = await makeCustomer(service);
      const client = (await impersonatorsOf(service, { plain, custadmin, organisationId }))[login];
      const of = `/organisations/${organisationId}`;
      const stored = () =>
        service.sql`SELECT username, roles FROM users WHERE organisation_id = ${organisationId} ORDER BY id`;
      const before = await stored();
      for (const call of [
        client.patch(pathOf(plain), { ...names, username: 'other@example.com' }),
        client.patch(pathOf(plain), { ...names, username: plain.username.toUpperCase() }),
        client.patch(pathOf(custadmin), { ...names, username: 'other@example.com' }),
        client.patch(pathOf(plain), { ...names, username: plain.username, defaultRoles: 'ROLE_MAIL' }),
        client.patch(pathOf(plain), { ...names, username: plain.username, defaultRoles: '' }),
        ...(variant === 'A' ? [client.put(of, { ...fields, required2fa: true })] : []),
      ])
        expect((await call.expect(403)).body).toMatchObject(refused);
      expect(await stored()).toEqual(before);
      await client.put(of, { ...fields, required2fa: false }).expect(204);
    });

    it('POST, PUT and DELETE …/contacts of the organisation with System are 403', async () => {
      const { organisationId } = customer;
      const of = `/organisations/${organisationId}/contacts`;
      const system = await makeContact(service, { organisationId, groups: ['System'] });
      const crm = await makeContact(service, { organisationId, groups: ['Crm'] });
      const client = clients[login];
      for (const call of [
        client.post(of, { ...contact(), preferences: 'System' }),
        client.put(`${of}/${crm}`, { ...contact(), preferences: 'Crm,System' }),
        client.put(`${of}/${system}`, contact()),
        client.delete(`${of}/${system}`),
      ])
        expect((await call.expect(403)).body).toMatchObject(refused);
    });

    it('PUT and POST of grants, acls, members and records of teams, invitations, SSH keys and the like are 403', async () => {
      const agency = await makeCustomer(service);
      const client = (await impersonatorsOf(service, agency))[login];
      const grantor = await makeCustomer(service);
      const reader = await makeCustomer(service);
      const grantId = await makeGrant(service, grantor.organisationId, agency.organisationId, {
        access: 'manage',
      });
      const of = `/organisations/${agency.organisationId}`;
      const { body } = await client.post(`${of}/teams`, { name: 'Support', autoAddSshkey: true }).expect(201);
      const { id } = (body as { team: { id: number } }).team;
      for (const call of [
        client.put(`${of}/teams/${id}/users/${agency.plain.id}`, {}),
        client.post(`${of}/teams/${id}/systems`, { objectId: 78 }),
        client.put(`${of}/grants/${grantId}/teams/${id}`, {}),
        client.post(`${of}/grants`, { organisation: reader.organisationId, access: 'read' }),
        ...(variant !== 'A'
          ? [
              client.post(`${of}/acls`, { organisation: reader.organisationId }),
              client.delete(`/organisations/${grantor.organisationId}/acls/${agency.organisationId}`),
            ]
          : []),
        client.post(`${of}/invitations`, { ...names, email: 'thief@evil.example', autoTeams: String(id) }),
        client.post(`${pathOf(agency.custadmin)}/sshkeys`, { content: 'x' }),
        client.delete(`${pathOf(agency.custadmin)}/logins`),
        client.delete(pathOf(agency.plain)),
        client.post(`${pathOf(agency.plain)}/actions`, { type: 'disable' }),
      ])
        expect((await call.expect(403)).body).toMatchObject(refused);
      await client.post('/logout').expect(204);
      await reader.plain.client.get(`${of}/users`).expect(403);
      await agency.custadmin.client.get(`/organisations/${grantor.organisationId}`).expect(200);
    });

    it('GET and PUT /organisations/{organisationId} are 403 where only a grant lets its user in, and GET /organisations leaves it out', async () => {
      const agency = await makeCustomer(service);
      const client = (await impersonatorsOf(service, agency))[login];
      for (const access of ['read', 'manage'] as const) {
        const grantor = await makeOrganisation(service);
        await makeGrant(service, grantor, agency.organisationId, { access });
        await agency.custadmin.client.get(`/organisations/${grantor}`).expect(200);
        // Nobody gives support logins anything: to them it is any other organisation.
        const reason = login === 'login by a link' ? 'LOG_IN_WITH_PASSWORD' : 'ACCESS_DENIED';
        expect((await client.get(`/organisations/${grantor}`).expect(403)).body).toMatchObject({ reason });
        await client.put(`/organisations/${grantor}`, fields).expect(403);
        const { body } = await client.get('/organisations').expect(200);
        const listed = (body as { organisations: { id: number }[] }).organisations.map(({ id }) => id);
        expect(listed).not.toContain(grantor);
      }
      const unrelated = await makeOrganisation(service);
      expect((await client.get(`/organisations/${unrelated}`).expect(403)).body).toMatchObject({
        reason: 'ACCESS_DENIED',
      });
    });
  });
});
