import { type MadeUser, makeCustomer, makeOrganisation } from '../../support/factories/factories';
import { pageWorkOf, rowWorkOf } from '../../support/generators/query-cost';
import { describeService } from '../../support/service/service';

const MANY = 9990;

/** Rows that PostgreSQL may touch for a page of five and its details, whatever there is. */
const MAX_WORK = 500;

/**
 * Pages of tables and indexes for a page of five: the other users are counted, and nobody reads their logins.
 */
const MAX_PAGES = 1200;

describeService(['A'], 'GET …/access of an organisation with 10,000 users: a page', (service) => {
  let organisationId: number;
  let reader: MadeUser;
  let above: MadeUser;

  /**
   * As many users again in an organisation above, in one with a grant, and in one that
   * has nothing to do with it.
   */
  beforeAll(async () => {
    const reseller = await makeCustomer(service);
    above = reseller.custadmin;
    ({ organisationId, custadmin: reader } = await makeCustomer(service, {
      resellerId: reseller.organisationId,
    }));
    const others = [reseller.organisationId, await makeOrganisation(service)];
    for (const id of [organisationId, ...others])
      await service.sql`INSERT INTO users (organisation_id, username, first_name, last_name, password_hash)
        SELECT ${id}, 'user' || n || '@' || ${id}::integer || '.example', 'Jan', 'Bakker', ''
        FROM generate_series(1, ${MANY}) n`;
    // A login locks its user in the table of locks, which has room for some thousands in one transaction.
    for (let part = 0; part < 30; part++)
      await service.sql`INSERT INTO logins (user_id, digest, expires_at, address)
        SELECT id, sha256(id::text::bytea), now() + interval '1 day', '' FROM users
        WHERE username LIKE 'user%@%.example' AND id % 30 = ${part}::integer`;
  });

  const workOf = (client: MadeUser['client'], path: string): Promise<number> =>
    rowWorkOf(service.database.url, () => client.get(path).expect(200));

  // Without statistics PostgreSQL sorts the users of the organisation, as for a page of users.
  describe.each([
    ['before', 7],
    ['after', 2],
  ])('%s PostgreSQL has looked at the tables', (when, perCounted) => {
    beforeAll(async () => {
      if (when === 'after') await service.sql('VACUUM ANALYZE users, logins');
    });

    it.each(['', '?orderType=DESC', '?offset=20'])(
      'touches its own rows, and counts the others: %s',
      async (query) => {
        for (const { client } of [reader, above]) {
          const path = `/organisations/${organisationId}/access${query}`;
          const { body } = await client.get(path).expect(200);
          expect((body as { access: object[] }).access).toHaveLength(5);
          expect(await workOf(client, path)).toBeLessThan(perCounted * MANY + MAX_WORK);
          expect(await pageWorkOf(service.database.url, () => client.get(path).expect(200))).toBeLessThan(
            MAX_PAGES,
          );
        }
      },
    );

    it('touches none of the 10,000 where it is of an organisation beneath theirs', async () => {
      const [row] = await service.sql<{ id: number }>`SELECT organisation_id AS id FROM users
        WHERE id = ${above.id}`;
      const small = await makeCustomer(service, { resellerId: row?.id as number });
      for (const { client } of [small.custadmin, above])
        expect(await workOf(client, `/organisations/${small.organisationId}/access`)).toBeLessThan(MAX_WORK);
    });

    it.each(['?orderBy=name', '?orderBy=dtLastUsed', '?filter=user77', '?limit=1000'])(
      'touches rows in proportion to the users of the organisation: %s',
      async (query) => {
        expect(await workOf(reader.client, `/organisations/${organisationId}/access${query}`)).toBeLessThan(
          20 * MANY,
        );
      },
    );
  });
});
