import { makeCustomer, makeOrganisation } from '../support/factories/factories';
import { makeContact } from '../support/factories/records';
import { ApiClient, asAdmin } from '../support/service/client';
import { startTestService, useServices } from '../support/service/service';
import { NEIGHBOUR } from '../support/service/variants';

const SIXTEEN = Array.from({ length: 16 }, (_, index) => index);

const WHOLE = { name: 'A customer', taxNumber: 'NL1' };

/** How often each status came. */
const counted = (responses: readonly { status: number }[]): Record<number, number> => {
  const counts: Record<number, number> = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

describe('16 changes at once with one If-Match', () => {
  const [service, other] = useServices(['A', NEIGHBOUR]);
  let admin: ApiClient;
  beforeAll(async () => {
    admin = await asAdmin(service);
  });

  /** Every second one goes to the process beside it. */
  const clientOf = (index: number, { hash }: ApiClient): ApiClient =>
    new ApiClient(index % 2 === 0 ? service.url : other.url, hash);

  const tagOf = async (client: ApiClient, path: string): Promise<string> =>
    (await client.get(path).expect(200)).headers['etag'] as string;

  it.each(['PUT', 'PATCH'] as const)(
    '%s /organisations/{organisationId}: one is 204, the others are 412',
    async (method) => {
      const path = `/organisations/${await makeOrganisation(service)}`;
      const tag = await tagOf(admin, path);
      const responses = await Promise.all(
        SIXTEEN.map((index) =>
          clientOf(index, admin)
            .call(method === 'PUT' ? 'put' : 'patch', path, { ...WHOLE, city: `City ${index}` })
            .set('If-Match', tag),
        ),
      );
      expect(counted(responses)).toEqual({ 204: 1, 412: 15 });
      const winner = responses.find(({ status }) => status === 204);
      expect(winner?.headers['etag']).toBe(await tagOf(admin, path));
    },
  );

  it('PUT …/contacts/{contactId}: one is 204, the others are 412', async () => {
    const { organisationId, plain } = await makeCustomer(service);
    const id = await makeContact(service, { organisationId, userId: plain.id });
    const path = `/organisations/${organisationId}/users/${plain.id}/contacts/${id}`;
    const tag = await tagOf(admin, path);
    const responses = await Promise.all(
      SIXTEEN.map((index) =>
        clientOf(index, admin)
          .put(path, { type: 'email', name: `race${id}.${index}@example.com` })
          .set('If-Match', tag),
      ),
    );
    expect(counted(responses)).toEqual({ 204: 1, 412: 15 });
  });

  it('PATCH …/preferences that nobody has set yet: one is 204, the others are 412, and so is one after a change without it', async () => {
    const { organisationId, plain } = await makeCustomer(service);
    const path = `/organisations/${organisationId}/users/${plain.id}/preferences`;
    const tag = await tagOf(plain.client, path);
    const send = (index: number) => plain.client.patch(path, { shortcuts: [{ index }] });
    const responses = await Promise.all(SIXTEEN.map((index) => send(index).set('If-Match', tag)));
    expect(counted(responses)).toEqual({ 204: 1, 412: 15 });

    const another = await makeCustomer(service);
    const theirs = `/organisations/${another.organisationId}/users/${another.plain.id}/preferences`;
    const first = await tagOf(another.plain.client, theirs);
    await another.plain.client.patch(theirs, { darkTheme: true }).expect(204);
    await another.plain.client.patch(theirs, { darkTheme: false }).set('If-Match', first).expect(412);
  });

  it('PATCH /organisations/{organisationId} beside 16 without it: these are 204, and at most one of the others', async () => {
    const path = `/organisations/${await makeOrganisation(service)}`;
    const tag = await tagOf(admin, path);
    const responses = await Promise.all(
      SIXTEEN.flatMap((index) => [
        admin.patch(path, { ...WHOLE, city: `City ${index}` }),
        admin.patch(path, { ...WHOLE, city: `Town ${index}` }).set('If-Match', tag),
      ]),
    );
    const [without, withTag] = [0, 1].map((part) => responses.filter((_, index) => index % 2 === part));
    expect(counted(without ?? [])).toEqual({ 204: 16 });
    expect([0, 1]).toContain(counted(withTag ?? [])[204] ?? 0);
  });

  it('DELETE /organisations/{organisationId}: one is 204, the others are 404 or 412', async () => {
    const path = `/organisations/${await makeOrganisation(service)}`;
    const tag = await tagOf(admin, path);
    const responses = await Promise.all(SIXTEEN.map(() => admin.delete(path).set('If-Match', tag)));
    const { 204: deleted, ...rest } = counted(responses);
    expect(deleted).toBe(1);
    expect(Object.keys(rest).every((status) => ['404', '412'].includes(status))).toBe(true);
  });

  it('PUT /organisations/{organisationId} of the parent beside 16 POST /organisations beneath it: all are done, without a deadlock', async () => {
    const parents = await Promise.all(SIXTEEN.map(() => makeOrganisation(service)));
    // Each process lets two changes of the tree run at once.
    await using second = await startTestService('A', { database: service.database });
    const elsewhere = new ApiClient(second.url, admin.hash);
    const moving = await makeOrganisation(service);
    const path = `/organisations/${moving}`;
    const responses = await Promise.all(
      SIXTEEN.flatMap((index) => [
        elsewhere.post('/organisations', {
          name: `Beneath ${index}`,
          taxNumber: `LOST-${moving}-${index}`,
          parentOrganisation: String(moving),
        }),
        admin.put(path, { ...WHOLE, parentOrganisation: String(parents[index]) }).set('If-Match', '*'),
      ]),
    );
    expect(counted(responses)).toEqual({ 201: 16, 204: 16 });
    // PostgreSQL has ended no transaction because of a deadlock.
    const waits = await service.sql<{ deadlocks: string }>(
      'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
    );
    expect(waits.map(({ deadlocks }) => Number(deadlocks))).toEqual([0]);
  });
});
