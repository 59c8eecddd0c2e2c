import { makeCustomer } from '../support/factories/factories';
import { ApiClient } from '../support/service/client';
import { startTestService } from '../support/service/service';

it.each([
  { first: 'A', second: 'B' },
  { first: 'B', second: 'A' },
] as const)(
  'a response to Idempotency-Key of Variant $first is refused in Variant $second',
  async ({ first, second }) => {
    await using service = await startTestService(first);
    await using other = await startTestService(second, { database: service.database });
    const { organisationId, custadmin } = await makeCustomer(service);
    const send = (url: string) =>
      new ApiClient(url, custadmin.client.hash)
        .post(`/organisations/${organisationId}/teams`, { name: 'Retried', autoAddSshkey: false })
        .set('Idempotency-Key', 'one');
    await send(service.url).expect(201);
    const refused = await send(other.url).expect(422);
    expect(refused.body).toMatchObject({ reason: 'IDEMPOTENCY_KEY_REUSED' });
    expect(await service.sql`SELECT id FROM teams WHERE organisation_id = ${organisationId}`).toHaveLength(1);
  },
);
