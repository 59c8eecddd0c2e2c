import { type MadeUser, makeCustomer, makeOrganisation } from '../../support/factories/factories';
import { pageWorkOf } from '../../support/generators/query-cost';
import { describeService } from '../../support/service/service';

const MANY = 100_000;

/** Organisations beneath the reseller. */
const BRANCH = 1000;

/**
 * Pages of tables and indexes that PostgreSQL may look at for a page of five; the log fills some thousands.
 */
const MAX_PAGES = 150;

describeService(['A'], 'GET …/events: a page beside 100,000 rows of the log', (service) => {
  let busy: Awaited<ReturnType<typeof makeCustomer>>;
  let quiet: Awaited<ReturnType<typeof makeCustomer>>;
  let reseller: Awaited<ReturnType<typeof makeCustomer>>;

  /**
   * Most rows are changes of a busy customer, and logins, which are no events. A quiet
   * branch of 1,000 stands beside.
   */
  beforeAll(async () => {
    busy = await makeCustomer(service);
    quiet = await makeCustomer(service);
    reseller = await makeCustomer(service);
    await service.sql`INSERT INTO organisations (name, tax_number, parent_id, reseller_id)
       SELECT 'Customer ' || n, 'NL' || n, 1, ${reseller.organisationId} FROM generate_series(1, ${BRANCH}) n`;
    await service.sql(
      `INSERT INTO audit_log (action, table_name, record_id, organisation_id)
       SELECT 'update', CASE n % 2 WHEN 0 THEN 'logins' ELSE 'users' END, n, CASE n % 4 WHEN 2 THEN $2::integer ELSE $3 END
       FROM generate_series(1, $1) n`,
      [MANY, quiet.organisationId, busy.organisationId],
    );
    // An event at each end of the log.
    await makeOrganisation(service, { resellerId: reseller.organisationId });
    await service.sql`INSERT INTO teams (organisation_id, name) VALUES (${quiet.organisationId}, 'Late')`;
  });

  describe.each(['before', 'after'])('%s PostgreSQL has looked at the tables', (when) => {
    beforeAll(async () => {
      if (when === 'after') await service.sql('ANALYZE');
    });

    it.each<[string, () => { organisationId: number; custadmin: MadeUser }, string, number]>([
      ['of a busy customer', () => busy, '', 5],
      ['in the middle', () => busy, `&after=${MANY / 2}`, 5],
      ['of a quiet customer, whose log is full of logins', () => quiet, '', 4],
      ['at its end', () => quiet, `&after=${MANY * 10}`, 0],
      ['of a wide branch', () => reseller, '&beneath=true', 5],
      ['of a wide branch, far from its last events', () => reseller, `&beneath=true&after=${MANY / 2}`, 1],
      ['of a branch of one', () => busy, '&beneath=true', 5],
    ])('looks at fewer than 150 pages of tables: %s', async (_, of, query, rows) => {
      const { organisationId, custadmin } = of();
      const path = `/organisations/${organisationId}/events?limit=5${query}`;
      const { body } = await custadmin.client.get(path).expect(200);
      expect((body as { events: object[] }).events).toHaveLength(rows);
      const pages = await pageWorkOf(service.database.url, () => custadmin.client.get(path).expect(200));
      expect(pages).toBeGreaterThan(0);
      expect(pages).toBeLessThan(MAX_PAGES);
    });
  });
});
