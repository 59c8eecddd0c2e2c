import { type MadeUser, makeCustomer, makeGrant } from '../../support/factories/factories';
import { pageWorkOf } from '../../support/generators/query-cost';
import { describeService } from '../../support/service/service';

const MANY = 999;

describeService(['A'], 'a user of an agency with 1,000 received grants', (service) => {
  let agency: MadeUser;
  let other: MadeUser;
  let customer: number;

  beforeAll(async () => {
    [agency, other] = [(await makeCustomer(service)).custadmin, (await makeCustomer(service)).custadmin];
    customer = (await makeCustomer(service)).organisationId;
    for (const { organisationId } of [agency, other])
      await makeGrant(service, customer, organisationId, { access: 'manage' });
    await service.sql`
      WITH given AS (INSERT INTO organisations (name, tax_number, parent_id)
        SELECT 'Customer ' || n, '', 1 FROM generate_series(1, ${MANY}) n RETURNING id)
      INSERT INTO acls (organisation_id, grantee_id, access) SELECT id, ${agency.organisationId}, 'manage' FROM given`;
    await service.sql('VACUUM ANALYZE organisations, acls, users');
  });

  const pagesOf = ({ client }: MadeUser, path: string): Promise<number> =>
    pageWorkOf(service.database.url, () => client.get(path).expect(200));

  it.each(['', '/users', '/teams'])(
    'reads GET /organisations/{organisationId}%s of a customer at the cost of one grant',
    async (path) => {
      const many = await pagesOf(agency, `/organisations/${customer}${path}`);
      const one = await pagesOf(other, `/organisations/${customer}${path}`);
      expect(many).toBeLessThanOrEqual(1.2 * one);
    },
  );

  it('reads GET /organisations/{organisationId} of its own at the cost of no grant', async () => {
    const { custadmin } = await makeCustomer(service);
    const of = ({ organisationId }: MadeUser) => `/organisations/${organisationId}`;
    expect(await pagesOf(agency, of(agency))).toBeLessThanOrEqual(
      1.2 * (await pagesOf(custadmin, of(custadmin))),
    );
  });

  /**
   * The grants are judged together, once for the page and the number of organisations: of each, the
   * organisation that gave it is looked up by its key (three pages). A search also reads what it searches:
   * PostgreSQL 15 by a plan that takes three pages more a grant than that of 18.
   */
  it.each([
    ['/organisations', 4],
    ['/organisations?orderBy=name&limit=100', 8],
    ['/organisations?filter=customer', 8],
    ['/organisations?userFullname=vries', 10],
  ])('lists a page of its customers by GET %s for %i pages a grant', async (path, pagesAGrant) => {
    const { custadmin } = await makeCustomer(service);
    expect(await pagesOf(agency, path)).toBeLessThanOrEqual(
      2 * (await pagesOf(custadmin, path)) + pagesAGrant * (MANY + 1),
    );
  });

  it('lists those of its customers in GET …/entities for one judgement of all grants', async () => {
    await service.sql`INSERT INTO entities (kind, object_id, organisation_id, name)
      SELECT 'app', organisation_id, organisation_id, 'App' FROM acls WHERE grantee_id = ${agency.organisationId}`;
    await service.sql('VACUUM ANALYZE entities');
    const entities = `/organisations/${agency.organisationId}/entities`;
    const { body } = await agency.client.get(entities).expect(200);
    expect((body as { apps: unknown[] }).apps).toHaveLength(MANY + 1);
    expect(await pagesOf(agency, entities)).toBeLessThanOrEqual(8 * (MANY + 1));
  });
});
