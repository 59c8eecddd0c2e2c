import { clientOf, makeCustomer, makeOrganisation, makeUser } from '../../support/factories/factories';
import {
  type AttackedService,
  bystanderDuring,
  startAttackedService,
  UNDISTURBED_P95,
} from '../../support/faults/bystander';
import { asAdmin } from '../../support/service/client';
import { describeService } from '../../support/service/service';

const statusesOf = (responses: readonly { status: number }[]): number[] =>
  [...new Set(responses.map(({ status }) => status))].sort();

describeService(['A'], 'POST and PUT /organisations: the depth of the tree', (service) => {
  /** A chain of organisations from the operator organisation, itself counted. */
  async function chainOf(length: number): Promise<number[]> {
    const chain = [1];
    while (chain.length < length)
      chain.push(await makeOrganisation(service, { parentId: chain.at(-1) ?? 1 }));
    return chain;
  }

  it.each(['parentOrganisation', 'resellerOrganisation'])(
    'is 32 over %s, and deeper is 400',
    async (link) => {
      const admin = await asAdmin(service);
      const chain = await chainOf(31);
      const create = (under: number | undefined) =>
        admin.post('/organisations', { name: 'Deep', taxNumber: 'T', [link]: under });
      const last = await create(chain.at(-1)).expect(201);
      const { id } = (last.body as { organisation: { id: number } }).organisation;
      const tooDeep = await create(id).expect(400);
      expect(tooDeep.body).toMatchObject({
        errors: { children: { [link]: { errors: [expect.any(String)] } } },
      });
      const branch = await makeOrganisation(service);
      await makeOrganisation(service, { parentId: branch });
      const move = (under: number | undefined) =>
        admin.put(`/organisations/${branch}`, { name: 'Branch', taxNumber: 'T', [link]: under });
      await move(chain.at(-1)).expect(400);
      await move(chain.at(-2)).expect(204);
    },
  );
});

describe('PUT /organisations/{organisationId}: changes of the tree', () => {
  let service: AttackedService;
  beforeAll(async () => {
    service = await startAttackedService('A');
  });
  afterAll(() => service.stop());

  it('hold nobody up where a reseller moves 1,000 organisations back and forth, 30 moves at once', async () => {
    const reseller = await makeOrganisation(service);
    const custadmin = await makeUser(service, { organisationId: reseller, roles: ['ROLE_CUSTADMIN'] });
    let end = reseller;
    for (let depth = 3; depth < 30; depth++) end = await makeOrganisation(service, { parentId: end });
    const branch = await makeOrganisation(service, { parentId: reseller });
    await service.sql`INSERT INTO organisations (name, tax_number, parent_id) SELECT 'Leaf', 'T', ${branch}
       FROM generate_series(1, 1000)`;
    const admin = await clientOf(service, 1);
    const created: number[] = [];
    const notice = await bystanderDuring(service, async () => {
      const moves = Array.from({ length: 30 }, (_, index) =>
        custadmin.client
          .put(`/organisations/${branch}`, {
            name: 'Branch',
            taxNumber: 'T',
            resellerOrganisation: index % 2 === 0 ? end : reseller,
          })
          .then((response) => response),
      );
      const others = Array.from({ length: 3 }, async () => {
        const { status } = await admin.post('/organisations', { name: 'Other', taxNumber: 'T' });
        created.push(status);
      });
      const responses = await Promise.all(moves);
      await Promise.all(others);
      expect(statusesOf(responses).filter((status) => ![204, 503].includes(status))).toEqual([]);
    });
    expect(created).toEqual([201, 201, 201]);
    expect(Object.keys(notice.statuses)).toEqual(['200']);
    expect(notice.p95).toBeLessThan(UNDISTURBED_P95);
  });

  it('never wait for a second connection: 60 with a reseller out of reach are 400 or 503', async () => {
    const { custadmin, organisationId } = await makeCustomer(service);
    const elsewhere = await makeOrganisation(service);
    const notice = await bystanderDuring(service, async () => {
      const responses = await Promise.all(
        Array.from({ length: 60 }, () =>
          custadmin.client.put(`/organisations/${organisationId}`, {
            name: 'Own',
            taxNumber: 'T',
            resellerOrganisation: elsewhere,
          }),
        ),
      );
      expect(statusesOf(responses).filter((status) => ![400, 503].includes(status))).toEqual([]);
    });
    expect(Object.keys(notice.statuses)).toEqual(['200']);
    expect(notice.p95).toBeLessThan(UNDISTURBED_P95);
  });
});
