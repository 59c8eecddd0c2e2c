import { makeOrganisation } from '../../support/factories/factories';
import { asAdmin } from '../../support/service/client';
import { describeService } from '../../support/service/service';

/** Beneath each of the two, as customers are: by a reseller link, with the operator as their parent. */
const MANY = 3000;

describeService(['A'], 'PUT …/organisations: the move of a reseller with 3,000 customers', (service) => {
  let branch: number;
  let above: number;

  beforeAll(async () => {
    above = await makeOrganisation(service);
    branch = await makeOrganisation(service);
    const beside = await makeOrganisation(service);
    for (const resellerId of [branch, beside])
      await service.sql`
        INSERT INTO organisations (name, tax_number, parent_id, reseller_id)
        SELECT 'Customer ' || n, 'T', 1, ${resellerId} FROM generate_series(1, ${MANY}) n`;
    // The planner learns that nearly every organisation has the operator as its parent.
    await service.sql('VACUUM ANALYZE organisations, organisation_closure');
  });

  it('is made within the time of a statement, there and back', async () => {
    const admin = await asAdmin(service);
    const moveTo = (resellerOrganisation: number | null) =>
      admin.put(`/organisations/${branch}`, { name: 'Reseller', taxNumber: 'T', resellerOrganisation });
    const beneath = async (): Promise<number> => {
      const { body } = await admin.get(`/organisations/${above}/organisations?limit=0`).expect(200);
      return (body as { subOrganisations: unknown[] }).subOrganisations.length;
    };
    await moveTo(above).expect(204);
    expect(await beneath()).toBe(1000);
    await moveTo(null).expect(204);
    expect(await beneath()).toBe(0);
  });

  it('looks at each of them a few times, not at all organisations for each', async () => {
    const [row] = await service.sql<{ 'QUERY PLAN': [{ Plan: Record<'Shared Hit Blocks', number> }] }>`
      EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) SELECT longest_way_down(${branch})`;
    expect(row?.['QUERY PLAN'][0].Plan['Shared Hit Blocks']).toBeLessThan(10 * MANY);
  });
});
