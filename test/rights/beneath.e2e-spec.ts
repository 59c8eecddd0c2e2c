import { type MadeUser, makeCustomer } from '../support/factories/factories';
import { makeApiKey, makeServiceKey } from '../support/factories/key-factories';
import { makeTeam } from '../support/factories/records';
import { Interface, nameOfRoute } from '../support/generators/interface';
import { SHARED_VARIANTS } from '../support/generators/sampled';
import type { ApiClient } from '../support/service/client';
import { describeService } from '../support/service/service';

const OPERATIONS = [
  'events.list',
  'webhooks.*',
  'servicekeys.*',
  'organisations.setEnabled',
  'organisations.read',
];

/** The callers that send each parameter or field about organisations beneath. */
const CALLERS = [
  'narrow key',
  'wide key',
  "operator's key",
  'API key of CUSTADMIN',
  'API key of user',
] as const;
type Callers = Readonly<Record<(typeof CALLERS)[number], ApiClient>>;

interface Tree {
  /** A reseller, which the service keys and API keys belong to. */
  readonly top: number;
  /** Its customer. */
  readonly below: number;
  readonly webhookId: number;
  readonly serviceKeyId: number;
}

/**
 * Sends a true value of the parameter or field, and gives what came of it: a status
 * or the organisations shown.
 */
type Case = (client: ApiClient, tree: Tree, of: number) => Promise<unknown>;

interface Expected {
  readonly ask: Case;
  /** What each caller gets at its own organisation, in the order of `CALLERS`, and beneath it. */
  readonly top: (tree: Tree) => readonly unknown[];
  readonly below: (tree: Tree) => readonly unknown[];
}

/** Nobody makes or changes these with a key (rule keys 26, rule events 18). */
const refusedToKeys = (ask: Case): Expected => ({
  ask,
  top: () => CALLERS.map(() => 403),
  below: () => CALLERS.map(() => 403),
});

const SERVICE_KEY = { name: 'Robot', operations: ['contacts.list'], beneath: true };
const WEBHOOK = { url: 'https://receiver.example/', events: ['*'], beneath: true };

/** Every parameter and field of the interface that reaches beneath. */
const CASES: Readonly<Record<string, Expected>> = {
  'GET /v1/organisations/:organisationId/events?beneath': {
    ask: async (client, _, of) => {
      const seen = [];
      for (const value of ['true', '1']) {
        const { status, body } = await client.get(`/organisations/${of}/events?limit=0&beneath=${value}`);
        const { events } = body as { events?: { data: { organisationId: number } }[] };
        seen.push(
          events === undefined ? status : [...new Set(events.map(({ data }) => data.organisationId))].sort(),
        );
      }
      expect(seen[1]).toEqual(seen[0]);
      return seen[0];
    },
    top: ({ top, below }) => [[top], [top, below], [top, below], [top, below], 500],
    below: ({ below }) => [403, [below], [below], [below], 403],
  },
  'POST /v1/organisations/:organisationId/servicekeys beneath': refusedToKeys(
    async (client, _, of) => (await client.post(`/organisations/${of}/servicekeys`, SERVICE_KEY)).status,
  ),
  'PUT /v1/organisations/:organisationId/servicekeys/:serviceKeyId beneath': refusedToKeys(
    async (client, { top, serviceKeyId }) =>
      (await client.put(`/organisations/${top}/servicekeys/${serviceKeyId}`, SERVICE_KEY)).status,
  ),
  'POST /v1/organisations/:organisationId/webhooks beneath': refusedToKeys(
    async (client, _, of) => (await client.post(`/organisations/${of}/webhooks`, WEBHOOK)).status,
  ),
  'PUT /v1/organisations/:organisationId/webhooks/:webhookId beneath': refusedToKeys(
    async (client, { top, webhookId }) =>
      (await client.put(`/organisations/${top}/webhooks/${webhookId}`, WEBHOOK)).status,
  ),
  'POST /v1/organisations/:organisationId/actions withSubOrganisations': {
    ask: async (client, _, of) => {
      const path = `/organisations/${of}/actions`;
      const { status } = await client.post(path, { type: 'disable', withSubOrganisations: true });
      if (status === 200) await client.post(path, { type: 'enable' }).expect(200);
      return status;
    },
    // Nobody suspends the own organisation.
    top: () => [500, 500, 200, 500, 500],
    below: () => [403, 200, 200, 200, 403],
  },
};

describeService(SHARED_VARIANTS, 'organisations beneath in Variant %s', (service) => {
  let tree: Tree;
  let callers: Callers;
  let custadmin: MadeUser;

  beforeAll(async () => {
    const reseller = await makeCustomer(service);
    const customer = await makeCustomer(service, { resellerId: reseller.organisationId });
    custadmin = reseller.custadmin;
    const top = reseller.organisationId;
    const below = customer.organisationId;
    for (const id of [top, below]) await makeTeam(service, id);
    const keyOf = async (beneath: boolean, organisationId = top, asAdmin = false) =>
      makeServiceKey(service, organisationId, { operations: OPERATIONS, beneath, asAdmin });
    const narrow = await keyOf(false);
    const [webhook] = await service.sql<{ id: number }>`
      INSERT INTO webhooks (organisation_id, url, events, reaches_beneath, enabled, encrypted_secret, made_after)
      VALUES (${top}, 'https://receiver.example/', '{*}', true, true, 'encrypted', 0) RETURNING id`;
    tree = { top, below, webhookId: webhook?.id ?? 0, serviceKeyId: narrow.id };
    callers = {
      'narrow key': narrow.client,
      'wide key': (await keyOf(true)).client,
      "operator's key": (await keyOf(false, 1, true)).client,
      'API key of CUSTADMIN': (await makeApiKey(service, reseller.custadmin.id)).client,
      'API key of user': (await makeApiKey(service, reseller.plain.id)).client,
    };
  });

  it('are asked for by no parameter or field without a case here', async () => {
    const { routes } = await Interface.of(service);
    const isOne = (name: string): boolean => /beneath|sub_?organisation/i.test(name);
    const found = routes.flatMap((route) => [
      ...(route.described.parameters ?? [])
        .filter(({ name }) => isOne(name))
        .map(({ name }) => `${nameOfRoute(route)}?${name}`),
      ...Object.keys(route.fields)
        .filter(isOne)
        .map((name) => `${nameOfRoute(route)} ${name}`),
    ]);
    expect(found.sort()).toEqual(Object.keys(CASES).sort());
  });

  it.each(Object.entries(CASES))(
    '%s: each caller gets what its own reach lets it have',
    async (_, { ask, top, below }) => {
      const outcomes = async (of: number): Promise<unknown[]> => {
        const seen: unknown[] = [];
        for (const caller of CALLERS) seen.push([caller, await ask(callers[caller], tree, of)]);
        return seen;
      };
      const named = (expected: readonly unknown[]) =>
        CALLERS.map((caller, index) => [caller, expected[index]]);
      expect(await outcomes(tree.top)).toEqual(named(top(tree)));
      expect(await outcomes(tree.below)).toEqual(named(below(tree)));
      const [widened] = await service.sql`
      SELECT FROM service_keys WHERE id = ${tree.serviceKeyId} AND reaches_beneath`;
      expect(widened).toBeUndefined();
    },
  );

  it('GET …/events?beneath=true with a key that does not reach them is paged as beneath=false is', async () => {
    const feedOf = async (query: string): Promise<unknown> =>
      (await callers['narrow key'].get(`/organisations/${tree.top}/events?${query}`).expect(200)).body;
    for (const query of ['limit=0', 'limit=1', 'limit=2&after=1'])
      expect(await feedOf(`${query}&beneath=true`)).toEqual(await feedOf(`${query}&beneath=false`));
  });

  it('GET …/webhooks/{webhookId}/deliveries shows their deliveries only to who reaches them', async () => {
    const { top, below, webhookId } = tree;
    for (const [organisationId, event] of [
      [top, 'users.created'],
      [below, 'teams.updated'],
    ] as const)
      await service.sql`
        INSERT INTO webhook_deliveries (webhook_id, message_id, event, body)
        VALUES (${webhookId}, gen_random_uuid(), ${event}, ${JSON.stringify({ data: { organisationId } })})`;
    const path = `/organisations/${top}/webhooks/${webhookId}/deliveries`;
    const eventsOf = async (client: ApiClient, query = ''): Promise<string[]> => {
      const { body } = await client.get(`${path}?limit=0${query}`).expect(200);
      return (body as { deliveries: { event: string }[] }).deliveries.map(({ event }) => event).sort();
    };
    const both = ['teams.updated', 'users.created'];
    for (const client of [
      callers['wide key'],
      callers["operator's key"],
      callers['API key of CUSTADMIN'],
      custadmin.client,
    ])
      expect(await eventsOf(client)).toEqual(both);
    expect(await eventsOf(callers['narrow key'])).toEqual(['users.created']);
    expect(await eventsOf(callers['narrow key'], '&filter=teams')).toEqual([]);
    const csv = await callers['narrow key'].get(path).set('Accept', 'text/csv').expect(200);
    expect(csv.text).not.toContain('teams.updated');
    await callers['API key of user'].get(path).expect(500);
  });
});
