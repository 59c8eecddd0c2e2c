import { get } from 'node:http';
import { Client } from 'pg';
import type { ImportedEntity, MailDomain } from '@app/entities/entity.values';
import { asAdmin } from './support/client';
import { register } from './support/entities-factories';
import { makeCustomer, nextNumber, type MadeUser } from './support/factories';
import { startTestService, type TestService } from './support/service';

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

let service: TestService;
let organisationId: number;
let custadmin: MadeUser;
let plain: MadeUser;

beforeAll(async () => {
  service = await startTestService('B');
});
afterAll(() => service.stop());

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

/** Reads the head of an answer and closes the connection. */
const hangUpEarly = (url: string, hash: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const request = get(url, { agent: false, headers: { Authorization: hash } }, (answer) => {
      answer.on('error', () => undefined).destroy();
      resolve();
    });
    request.on('error', reject);
  });

const grant = (organisation: number, grantee: number): Promise<object[]> =>
  service.sql('INSERT INTO acls (organisation_id, grantee_id) VALUES ($1, $2)', [organisation, grantee]);

it('answers the whole overview, ordered by id', async () => {
  const [app, domain, mailgroup, first, second] = Array.from({ length: 5 }, nextNumber) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const domains: MailDomain[] = [
    { id: domain, name: 'devries', mailPrimary: true, domaintype: { id: 4, extension: 'nl' } },
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
    mailgroups: [{ id: mailgroup, name: 'Mail', ...owner, domains }],
  });
});

it('is a listing of all entities as csv', async () => {
  const app = nextNumber();
  const mailgroup = nextNumber();
  const system = await makeSystem(organisationId);
  await register(
    service,
    { kind: 'mailgroup', id: mailgroup, name: 'Mail, "old"', organisationId },
    { kind: 'app', id: app, name: '=cmd', organisationId },
  );
  const response = await plain.client.get(`/organisations/${organisationId}/entities?format=csv`).expect(200);
  expect(response.headers['content-type']).toContain('text/csv');
  expect(response.text.split('\r\n')).toEqual([
    'kind,id,name,organisationId,organisationName',
    `app,${app},'=cmd,${organisationId},Bakkerij de Vries`,
    `mailgroup,${mailgroup},"Mail, ""old""",${organisationId},Bakkerij de Vries`,
    `system,${system},web${system},${organisationId},Bakkerij de Vries`,
    '',
  ]);
});

describe('a long overview', () => {
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
    const answer = (await overview(plain)) as Overview & Record<string, { id: number }[]>;
    expect(Object.keys(answer).sort()).toEqual(['apps', 'domains', 'mailgroups', 'systems', 'total']);
    expect(answer.total).toEqual({ apps: COUNT / 2, domains: 0, mailgroups: 0, systems: COUNT / 2 });
    expect(answer['domains']).toEqual([]);
    expect(answer['mailgroups']).toEqual([]);
    const numbers = Array.from({ length: COUNT }, (_, index) => index + 1);
    expect(answer['apps']?.map(({ id }) => id)).toEqual(numbers.filter((id) => id % 2 === 0));
    expect(answer['systems']?.map(({ id }) => id)).toEqual(numbers.filter((id) => id % 2 === 1));
    expect(answer['apps']?.[0]).toEqual({
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

it('answers empty lists where there is nothing', async () => {
  expect(await overview(plain)).toEqual(NOTHING);
});

it('has those of organisations that granted access, and for managers those beneath', async () => {
  const beneath = await makeCustomer(service, { resellerId: organisationId });
  const grantor = await makeCustomer(service);
  await grant(grantor.organisationId, organisationId);
  const own = await makeSystem(organisationId);
  const ofGrantor = await makeSystem(grantor.organisationId);
  const ofBeneath = await makeSystem(beneath.organisationId);
  expect(await systemsOf(plain)).toEqual([own, ofGrantor]);
  expect(await systemsOf(custadmin)).toEqual([own, ofGrantor, ofBeneath]);
  expect(await systemsOf({ client: await asAdmin(service) })).toEqual([own, ofGrantor, ofBeneath]);
  expect(await systemsOf(custadmin, beneath.organisationId)).toEqual([ofBeneath]);
  await service.sql('DELETE FROM acls WHERE grantee_id = $1', [organisationId]);
  expect(await systemsOf(plain)).toEqual([own]);
});

it('has what is both granted and beneath once', async () => {
  const beneath = await makeCustomer(service, { resellerId: organisationId });
  await grant(beneath.organisationId, organisationId);
  const system = await makeSystem(beneath.organisationId);
  expect(await systemsOf(custadmin)).toEqual([system]);
});

it("shows a grantee what is its grantor's own, and neither the grants it got nor what lies beneath it", async () => {
  const grantee = await makeCustomer(service);
  await grant(organisationId, grantee.organisationId);
  const beneath = await makeCustomer(service, { resellerId: organisationId });
  const third = await makeCustomer(service);
  await grant(third.organisationId, organisationId);
  const own = await makeSystem(organisationId);
  await makeSystem(beneath.organisationId);
  await makeSystem(third.organisationId);
  expect(await systemsOf(grantee.plain)).toEqual([own]);
  expect(await systemsOf(grantee.custadmin)).toEqual([own]);
});

it('lets in nobody else', async () => {
  const stranger = await makeCustomer(service);
  const beneath = await makeCustomer(service, { resellerId: organisationId });
  for (const { client } of [stranger.custadmin, stranger.plain, beneath.custadmin]) {
    await client.get(`/organisations/${organisationId}/entities`).expect(403);
  }
  await plain.client.get(`/organisations/${beneath.organisationId}/entities`).expect(403);
  await plain.client.get('/organisations/999999/entities').expect(404);
});

it('takes two queries, however many entities there are', async () => {
  for (let count = 0; count < 20; count++) await makeSystem(organisationId);
  const query = jest.spyOn(Client.prototype, 'query');
  try {
    expect(await systemsOf(plain)).toHaveLength(20);
    expect(query).toHaveBeenCalledTimes(2);
  } finally {
    query.mockRestore();
  }
});

it('is no route of Variant A', async () => {
  const other = await startTestService('A', { database: service.database });
  try {
    await (await asAdmin(other)).get('/organisations/1/entities').expect(404);
  } finally {
    await other.stop();
  }
});

describe('the import', () => {
  it('brings an entity up to date where its kind and id are there already', async () => {
    const id = await makeSystem(organisationId);
    const { organisationId: other, plain: reader } = await makeCustomer(service);
    await register(service, { kind: 'app', id, name: 'an app with the same id', organisationId });
    await register(service, { kind: 'system', id, name: 'moved', organisationId: other });
    expect(await overview(plain)).toMatchObject({ total: { apps: 1, systems: 0 } });
    expect(await overview(reader, other)).toMatchObject({
      systems: [{ id, name: 'moved', organisationId: other }],
    });
  });

  it('gives one row to 16 imports of one entity at once', async () => {
    const id = nextNumber();
    const entity: ImportedEntity = { kind: 'domain', id, name: 'vries.nl', organisationId };
    await Promise.all(Array.from({ length: 16 }, () => register(service, entity)));
    expect(await overview(plain)).toMatchObject({ total: { domains: 1 } });
  });

  const good = { kind: 'system', id: 1_000_000, name: 'x', organisationId: 1 };
  const mailDomain = { id: 1, name: 'x', mailPrimary: true, domaintype: { id: 1, extension: 'nl' } };
  it.each([
    [{ ...good, kind: 'apps' }, 'kind'],
    [{ ...good, id: 0 }, 'id'],
    [{ ...good, id: '7' }, 'id'],
    [{ ...good, id: 2 ** 31 }, 'id'],
    [{ ...good, name: ' ' }, 'name'],
    [{ ...good, name: 'x\0' }, 'name'],
    [{ ...good, name: 'x'.repeat(256) }, 'name'],
    [{ ...good, organisationId: 999_999 }, 'organisationId'],
    [{ ...good, domains: [mailDomain] }, 'domains'],
    [{ ...good, kind: 'mailgroup', domains: {} }, 'domains'],
    [{ ...good, kind: 'mailgroup', domains: [{ ...mailDomain, mailPrimary: 'yes' }] }, 'domains'],
    [{ ...good, kind: 'mailgroup', domains: [{ ...mailDomain, domaintype: null }] }, 'domains'],
  ])('refuses %j on %s', async (entity, field) => {
    await expect(register(service, entity as unknown as ImportedEntity)).rejects.toMatchObject({
      fields: { [field]: [expect.any(String)] },
    });
    expect(await service.sql('SELECT FROM entities WHERE object_id = 1000000')).toEqual([]);
  });
});
