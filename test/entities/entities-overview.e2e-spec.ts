import { get } from 'node:http';
import { Client } from 'pg';
import type { MailDomain } from '@app/people/teams/team.types';
import { type MadeUser, makeCustomer, makeGrant, nextNumber } from '../support/factories/factories';
import { register } from '../support/factories/records';
import { asAdmin } from '../support/service/client';
import { useService } from '../support/service/service';

interface Overview {
  total: { apps: number; domains: number; mailgroups: number; systems: number };
  systems: { id: number; organisationId: number }[];
}

const NOTHING = {
  total: { apps: 0, domains: 0, mailgroups: 0, systems: 0 },
  domains: [],
  systems: [],
  apps: [],
  mailgroups: [],
};

const service = useService('A');
let organisationId: number;
let custadmin: MadeUser;
let plain: MadeUser;

beforeEach(async () => {
  ({ organisationId, custadmin, plain } = await makeCustomer(service, { name: 'Bakkerij de Vries' }));
  // Another customer's entities stand beside every overview.
  await makeSystem((await makeCustomer(service)).organisationId);
});

/** A system, and its id. */
async function makeSystem(organisation: number): Promise<number> {
  const id = nextNumber();
  await register(service, { kind: 'system', id, name: `web${id}`, organisationId: organisation });
  return id;
}

const overview = async (user: Pick<MadeUser, 'client'>, of = organisationId): Promise<Overview> =>
  (await user.client.get(`/organisations/${of}/entities`).expect(200)).body as Overview;

const systemsOf = async (user: Pick<MadeUser, 'client'>, of = organisationId): Promise<number[]> =>
  (await overview(user, of)).systems.map(({ id }) => id);

/** Reads the head of a response and closes the connection. */
const hangUpEarly = (url: string, hash: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const request = get(url, { agent: false, headers: { Authorization: hash } }, (response) => {
      response.on('error', () => undefined).destroy();
      resolve();
    });
    request.on('error', reject);
  });

it('GET …/entities answers the whole overview, ordered by id', async () => {
  const [app, domain, mailgroup, first, second] = Array.from({ length: 5 }, nextNumber) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const domains: MailDomain[] = [
    {
      id: domain,
      name: 'devries',
      mailPrimary: true,
      domaintype: { id: 4, name: 'Netherlands', extension: 'nl' },
    },
    { id: domain + 1000, name: 'bakkerij', mailPrimary: false, domaintype: { id: 5, extension: 'co.uk' } },
  ];
  await register(
    service,
    { kind: 'system', id: second, name: 'db01', organisationId },
    { kind: 'system', id: first, name: 'web01', organisationId },
    { kind: 'app', id: app, name: 'shop', organisationId },
    { kind: 'domain', id: domain, name: 'devries.nl', organisationId },
    { kind: 'mailgroup', id: mailgroup, name: 'Mail', organisationId, domains },
  );
  const owner = { organisationId, organisationName: 'Bakkerij de Vries' };
  expect(await overview(plain)).toEqual({
    total: { apps: 1, domains: 1, mailgroups: 1, systems: 2 },
    domains: [{ id: domain, fullname: 'devries.nl', ...owner }],
    systems: [
      { id: first, name: 'web01', ...owner },
      { id: second, name: 'db01', ...owner },
    ],
    apps: [{ id: app, name: 'shop', ...owner }],
    mailgroups: [
      {
        id: mailgroup,
        name: 'Mail',
        ...owner,
        // What the register has no name for has an empty one.
        domains: [domains[0], { ...domains[1], domaintype: { id: 5, name: '', extension: 'co.uk' } }],
      },
    ],
  });
});

it('GET …/entities is a listing of all entities as csv', async () => {
  const app = nextNumber();
  const mailgroup = nextNumber();
  const system = await makeSystem(organisationId);
  await register(
    service,
    {
      kind: 'mailgroup',
      id: mailgroup,
      name: 'Mail, "old"',
      organisationId,
      domains: ['devries', 'bakkerij'].map((name, index) => ({
        id: index + 1,
        name,
        mailPrimary: index === 0,
        domaintype: { id: 4, extension: 'nl' },
      })),
    },
    { kind: 'app', id: app, name: '=cmd', organisationId },
  );
  const response = await plain.client.get(`/organisations/${organisationId}/entities?format=csv`).expect(200);
  expect(response.headers['content-type']).toContain('text/csv');
  expect(response.text.split('\r\n')).toEqual([
    'kind,id,name,organisationId,organisationName,domains',
    `app,${app},'=cmd,${organisationId},Bakkerij de Vries,`,
    `mailgroup,${mailgroup},"Mail, ""old""",${organisationId},Bakkerij de Vries,devries;bakkerij`,
    `system,${system},web${system},${organisationId},Bakkerij de Vries,`,
    '',
  ]);
});

describe('GET …/entities: a long overview', () => {
  const COUNT = 2300;

  beforeEach(async () => {
    await service.sql('TRUNCATE entities');
    await service.sql(
      `INSERT INTO entities (kind, object_id, organisation_id, name)
       SELECT (ARRAY['app', 'system'])[1 + n % 2], n, $1, 'é"' || n FROM generate_series(1, ${COUNT}) n`,
      [organisationId],
    );
  });

  it('has the same shape and every entity once', async () => {
    const response = (await overview(plain)) as Overview & Record<string, { id: number }[]>;
    expect(Object.keys(response).sort()).toEqual(['apps', 'domains', 'mailgroups', 'systems', 'total']);
    expect(response.total).toEqual({ apps: COUNT / 2, domains: 0, mailgroups: 0, systems: COUNT / 2 });
    expect(response['domains']).toEqual([]);
    expect(response['mailgroups']).toEqual([]);
    const numbers = Array.from({ length: COUNT }, (_, index) => index + 1);
    expect(response['apps']?.map(({ id }) => id)).toEqual(numbers.filter((id) => id % 2 === 0));
    expect(response['systems']?.map(({ id }) => id)).toEqual(numbers.filter((id) => id % 2 === 1));
    expect(response['apps']?.[0]).toEqual({
      id: 2,
      name: 'é"2',
      organisationId,
      organisationName: 'Bakkerij de Vries',
    });
  });

  it('is whole as csv too', async () => {
    const response = await plain.client
      .get(`/organisations/${organisationId}/entities?format=csv`)
      .expect(200);
    expect(response.text.trim().split('\r\n')).toHaveLength(COUNT + 1);
  });

  it('gives its connection back when the reader goes away', async () => {
    for (let count = 0; count < 30; count++) {
      await hangUpEarly(
        `${service.url}/v1/organisations/${organisationId}/entities`,
        plain.client.hash as string,
      );
    }
    expect(await overview(plain)).toMatchObject({ total: { apps: COUNT / 2 } });
  });
});

it('GET …/entities answers empty lists where there is nothing', async () => {
  expect(await overview(plain)).toEqual(NOTHING);
});

it('GET …/entities has those of organisations that granted access, and for managers those beneath', async () => {
  const beneath = await makeCustomer(service, { resellerId: organisationId });
  const grantor = await makeCustomer(service);
  await makeGrant(service, grantor.organisationId, organisationId);
  const own = await makeSystem(organisationId);
  const ofGrantor = await makeSystem(grantor.organisationId);
  const ofBeneath = await makeSystem(beneath.organisationId);
  expect(await systemsOf(plain)).toEqual([own, ofGrantor]);
  expect(await systemsOf(custadmin)).toEqual([own, ofGrantor, ofBeneath]);
  expect(await systemsOf({ client: await asAdmin(service) })).toEqual([own, ofGrantor, ofBeneath]);
  expect(await systemsOf(custadmin, beneath.organisationId)).toEqual([ofBeneath]);
  await service.sql`DELETE FROM acls WHERE grantee_id = ${organisationId}`;
  expect(await systemsOf(plain)).toEqual([own]);
});

// rule grants 29
it('GET …/entities shows a manager above the grantee nothing of what another organisation lets the grantee read', async () => {
  const above = await makeCustomer(service);
  const grantee = await makeCustomer(service, { resellerId: above.organisationId });
  const third = await makeCustomer(service);
  await makeGrant(service, third.organisationId, grantee.organisationId);
  const ofGrantee = await makeSystem(grantee.organisationId);
  const ofThird = await makeSystem(third.organisationId);
  expect(await systemsOf(grantee.plain, grantee.organisationId)).toEqual([ofGrantee, ofThird]);
  expect(await systemsOf(above.custadmin, grantee.organisationId)).toEqual([ofGrantee]);
});

it('GET …/entities has what is both granted and beneath once', async () => {
  const beneath = await makeCustomer(service, { resellerId: organisationId });
  await makeGrant(service, beneath.organisationId, organisationId);
  const system = await makeSystem(beneath.organisationId);
  expect(await systemsOf(custadmin)).toEqual([system]);
});

it("shows a grantee what is its grantor's own, and neither the grants it got nor what lies beneath it", async () => {
  const grantee = await makeCustomer(service);
  await makeGrant(service, organisationId, grantee.organisationId);
  const beneath = await makeCustomer(service, { resellerId: organisationId });
  const third = await makeCustomer(service);
  await makeGrant(service, third.organisationId, organisationId);
  const own = await makeSystem(organisationId);
  await makeSystem(beneath.organisationId);
  await makeSystem(third.organisationId);
  expect(await systemsOf(grantee.plain)).toEqual([own]);
  expect(await systemsOf(grantee.custadmin)).toEqual([own]);
});

it('GET …/entities takes one query beside that of the guard, and a cursor, however many entities there are', async () => {
  for (let count = 0; count < 20; count++) await makeSystem(organisationId);
  const query = jest.spyOn(Client.prototype, 'query');
  try {
    expect(await systemsOf(plain)).toHaveLength(20);
    // The guard; BEGIN, DECLARE, FETCH and ROLLBACK.
    expect(query).toHaveBeenCalledTimes(5);
  } finally {
    query.mockRestore();
  }
});
