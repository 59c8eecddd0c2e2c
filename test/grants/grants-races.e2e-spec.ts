import { makeCustomer } from '../support/factories/factories';
import { Wire } from '../support/generators/access-calls';
import { atOnce } from '../support/service/at-once';
import { useService } from '../support/service/service';

describe('POST …/grants at the same time: grants', () => {
  afterAll(() => wire.close());
  const service = useService('A', { settings: { databasePool: 20 } });
  let wire: Wire;
  beforeAll(() => {
    wire = new Wire(service.url);
  });

  it('are given once', async () => {
    const grantor = await makeCustomer(service);
    const agency = await makeCustomer(service);
    const answers = await atOnce(16, () =>
      wire.send({
        method: 'POST',
        path: `/v1/organisations/${grantor.organisationId}/grants`,
        hash: grantor.custadmin.client.hash,
        body: { organisation: agency.organisationId },
      }),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(15).fill(400)]);
    expect(new Set(answers.filter(({ status }) => status === 400).map(({ reason }) => reason))).toEqual(
      new Set(['VALIDATION_FAILED']),
    );
  });
});
