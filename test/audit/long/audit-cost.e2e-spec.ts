import { type MadeUser, makeCustomer, makeUser } from '../../support/factories/factories';
import { rowWorkOf } from '../../support/generators/query-cost';
import { describeService } from '../../support/service/service';

const MANY = 100_000;

/**
 * Rows that PostgreSQL may touch for a page of five, whatever there is: those of an hour
 * around the span, a few times.
 */
const MAX_WORK = 800;

describeService(['A'], 'GET …/audit: a page of 100,000 acts', (service) => {
  let organisationId: number;
  let reader: MadeUser;
  let busy: MadeUser;
  let beneath: number;

  /** One row a minute up to now, one of a thousand on a team, half of them on a customer. */
  beforeAll(async () => {
    ({ organisationId, custadmin: reader } = await makeCustomer(service));
    busy = await makeUser(service, { organisationId });
    const quiet = { organisationId, username: 'quiet@customer.example' };
    const { id } = await makeUser(service, quiet);
    await service.sql`DELETE FROM logins WHERE user_id = ${id}`;
    ({ organisationId: beneath } = await makeCustomer(service, { resellerId: organisationId }));
    await service.sql(
      `INSERT INTO audit_log (at, actor_user_id, actor_credential_kind, action, table_name, record_id, organisation_id)
       SELECT now() - make_interval(mins => $1 - n), $2, 'login', 'update',
         CASE n % 1000 WHEN 7 THEN 'teams' ELSE 'users' END, n, CASE n % 2 WHEN 0 THEN $3::integer ELSE $4 END
       FROM generate_series(1, $1) n`,
      [MANY, busy.id, organisationId, beneath],
    );
  });

  const ago = (minutes: number): number => Math.floor(Date.now() / 1000) - minutes * 60;

  describe.each(['before', 'after'])('%s PostgreSQL has looked at the table', (when) => {
    beforeAll(async () => {
      if (when === 'after') await service.sql('ANALYZE audit_log');
    });

    it.each([
      ['', 5],
      ['?orderType=DESC', 5],
      ['?kind=teams', 5],
      ['?kind=apikeys', 0],
      ['?kind=teams&orderType=DESC', 5],
      [`?from=${ago(30)}`, 5],
      [`?from=${ago(50_030)}&to=${ago(50_000)}`, 5],
      [`?to=${ago(99_900)}&orderType=DESC`, 5],
      ['?user=busy', 5],
      ['?user=busy&orderType=DESC', 5],
      ['?filter=nothing-has-this', 0],
      ['?filter=apikey', 0],
      ['?filter=team&orderType=DESC', 5],
      ['?filter=e', 5],
      ['?filter=quiet', 0],
      ['?user=busy&filter=nothing-has-this', 0],
    ])('touches fewer than 800 rows: %s', async (query, rows) => {
      const path = `/organisations/${organisationId}/audit${query.replace('busy', String(busy.id))}`;
      const { body } = await reader.client.get(path).expect(200);
      expect((body as { audit: object[] }).audit).toHaveLength(rows);
      const work = await rowWorkOf(service.database.url, () => reader.client.get(path).expect(200));
      expect(work).toBeGreaterThan(0);
      expect(work).toBeLessThan(MAX_WORK);
    });
  });
});
