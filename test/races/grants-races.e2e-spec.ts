import { type Call, Wire } from '../support/generators/access-calls';
import { makeCustomer } from '../support/factories/factories';
import { useService } from '../support/service/service';

const ROUNDS = 15;

describe('grants at the same time', () => {
  afterAll(() => wire.close());
  const service = useService('A', { settings: { databasePool: 20 } });
  let wire: Wire;
  beforeAll(() => {
    wire = new Wire(service.url);
  });

  it('let 16 writers store nothing after the answer that ended the grant', async () => {
    const outcomes = new Set<number>();
    for (let round = 0; round < ROUNDS; round++) {
      const [giver, agency] = [await makeCustomer(service), await makeCustomer(service)];
      const of = `/v1/organisations/${giver.organisationId}`;
      const grants: Call = {
        ...{ method: 'POST', path: `${of}/grants`, hash: giver.custadmin.client.hash },
        body: { organisation: agency.organisationId, access: 'manage' },
      };
      const made = JSON.parse((await wire.send(grants)).text) as { grant: { id: number } };
      const count = async (): Promise<number> =>
        (await service.sql`SELECT FROM teams WHERE organisation_id = ${giver.organisationId}`).length;
      const writers = Array.from({ length: 16 }, (_, index) =>
        wire.send({
          ...{ method: 'POST', path: `${of}/teams`, hash: agency.custadmin.client.hash },
          body: { name: `Team ${index}` },
        }),
      );
      const { status } = await wire.send({
        ...{ method: 'DELETE', path: `${of}/grants/${made.grant.id}`, hash: giver.custadmin.client.hash },
        body: undefined,
      });
      expect(status).toBe(204);
      const atTheEnd = await count();
      const answers = await Promise.all(writers);
      for (const answer of answers) outcomes.add(answer.status);
      expect(await count()).toBe(atTheEnd);
      expect(answers.filter((answer) => answer.status === 201)).toHaveLength(atTheEnd);
    }
    expect([...outcomes].filter((status) => ![201, 403].includes(status))).toEqual([]);
    expect(outcomes).toContain(403);
  });

  it('are given once', async () => {
    const [giver, agency] = [await makeCustomer(service), await makeCustomer(service)];
    const answers = await Promise.all(
      Array.from({ length: 16 }, () =>
        wire.send({
          ...{ method: 'POST', path: `/v1/organisations/${giver.organisationId}/grants` },
          ...{ hash: giver.custadmin.client.hash, body: { organisation: agency.organisationId } },
        }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(15).fill(400)]);
    expect(new Set(answers.filter(({ status }) => status === 400).map(({ reason }) => reason))).toEqual(
      new Set(['VALIDATION_FAILED']),
    );
  });
});
