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

  it.each(['', '/users', '/teams'])('reads one customer%s as a user with one grant does', async (path) => {
    const many = await pagesOf(agency, `/organisations/${customer}${path}`);
    const one = await pagesOf(other, `/organisations/${customer}${path}`);
    expect(many).toBeLessThanOrEqual(1.2 * one);
  });

  it('reads its own organisation as a user without grants does', async () => {
    const { custadmin } = await makeCustomer(service);
    const of = ({ organisationId }: MadeUser) => `/organisations/${organisationId}`;
    expect(await pagesOf(agency, of(agency))).toBeLessThanOrEqual(
      1.2 * (await pagesOf(custadmin, of(custadmin))),
    );
  });

  /** Each grant is judged as the guard judges it, for the page and for the number of organisations. */
  const PAGES_A_GRANT = 20;

  it('lists a page of its customers for one judgement of each grant', async () => {
    const { custadmin } = await makeCustomer(service);
    expect(await pagesOf(agency, '/organisations')).toBeLessThanOrEqual(
      2 * (await pagesOf(custadmin, '/organisations')) + PAGES_A_GRANT * (MANY + 1),
    );
  });
});
