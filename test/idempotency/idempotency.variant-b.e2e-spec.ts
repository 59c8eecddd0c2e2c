import { makeCustomer } from '../support/factories/factories';
import { ApiClient } from '../support/service/client';
import { useServices } from '../support/service/service';

const [inA, inB] = useServices(['A', 'B']);

it.each([
  ['A', 'B', inA, inB],
  ['B', 'A', inB, inA],
])('a response to Idempotency-Key of Variant %s is refused in Variant %s', async (_a, _b, first, second) => {
  const { organisationId, custadmin } = await makeCustomer(first);
  const send = (url: string) =>
    new ApiClient(url, custadmin.client.hash)
      .post(`/organisations/${organisationId}/teams`, { name: 'Retried', autoAddSshkey: false })
      .set('Idempotency-Key', 'one');
  await send(first.url).expect(201);
  const refused = await send(second.url).expect(422);
  expect(refused.body).toMatchObject({ reason: 'IDEMPOTENCY_KEY_REUSED' });
  expect(await first.sql`SELECT id FROM teams WHERE organisation_id = ${organisationId}`).toHaveLength(1);
});
