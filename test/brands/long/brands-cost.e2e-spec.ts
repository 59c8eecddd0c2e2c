import { Client } from 'pg';
import { type MailMessage, MailTransport } from '@app/mail/mail-transport';
import { NEAREST_BRAND } from '@app/people/brands/brands.service';
import { makeBrand } from '../../support/factories/brands-factories';
import { type Customer, makeCustomer, makeOrganisation } from '../../support/factories/factories';
import { pageWorkOf } from '../../support/generators/query-cost';
import { type ApiClient, asAdmin } from '../../support/service/client';
import { runJobs } from '../../support/service/jobs';
import { describeService, useService } from '../../support/service/service';

const MANY = 100_000;

describeService(
  ['A'],
  'GET …/brand?nearest=true of one of 100,000 organisations beneath a reseller',
  (service) => {
    let admin: ApiClient;
    let few: number;
    let many: number;

    beforeAll(async () => {
      admin = await asAdmin(service);
      const [small, large] = [await makeOrganisation(service), await makeOrganisation(service)];
      for (const id of [small, large]) await makeBrand(service, id);
      few = await makeOrganisation(service, { resellerId: small });
      many = await makeOrganisation(service, { resellerId: large });
      // The tree takes minutes for as many, and has no part in the brand.
      await service.sql('ALTER TABLE organisations DISABLE TRIGGER USER');
      await service.sql`
      INSERT INTO organisations (name, tax_number, parent_id, reseller_id, customer_id)
      SELECT 'Customer ' || n, '', 1, ${large}, ${large} FROM generate_series(1, ${MANY}) n`;
      await service.sql('ALTER TABLE organisations ENABLE TRIGGER USER');
      // Many brands beside, so that going through all of them would show.
      await service.sql`
      INSERT INTO brands (organisation_id, name, link_key) SELECT id, 'Brand ' || id, gen_random_uuid() FROM organisations
      WHERE id > ${many} ORDER BY id LIMIT 1000`;
      await service.sql('VACUUM ANALYZE organisations, brands');
    });

    it('finds the brand by keys alone', async () => {
      const plan = await service.sql<{ 'QUERY PLAN': string }>(`EXPLAIN ${NEAREST_BRAND.text}`, [many]);
      const text = plan.map((row) => row['QUERY PLAN']).join('\n');
      expect(text).not.toMatch(/Seq Scan on|Hash Join|Merge Join/);
      expect(text).toMatch(/Index Scan using organisations_pkey/);
      expect(text).toMatch(/Index Scan using brands_once/);
    });

    it('costs as much as for the only one beneath a reseller', async () => {
      const pagesOf = (id: number): Promise<number> =>
        pageWorkOf(service.database.url, () =>
          admin.get(`/organisations/${id}/brand?nearest=true`).expect(200),
        );
      expect(await pagesOf(many)).toBeLessThanOrEqual(1.2 * (await pagesOf(few)));
    });
  },
);

const RECIPIENTS = 1000;

describe('POST …/notifications to 1,000 recipients', () => {
  const sent: MailMessage[] = [];
  const service = useService('A', {
    settings: { mailHourlyLimit: 'off' },
    overrides: [[MailTransport, { deliver: (message: MailMessage) => void sent.push(message) }]],
  });

  it('looks the brand up once for each organisation', async () => {
    const reseller = await makeOrganisation(service);
    await makeBrand(service, reseller, { name: 'Before' });
    const customers: Customer[] = [];
    for (let made = 0; made < 2; made++)
      customers.push(await makeCustomer(service, { resellerId: reseller }));
    for (const { organisationId, custadmin } of customers) {
      await service.sql`
        WITH made AS (
          INSERT INTO users (organisation_id, username, first_name, last_name, roles, password_hash)
          SELECT ${organisationId}::integer, 'u' || n || '@of' || ${organisationId}::text || '.example', 'Jan', 'Smit', '{}', ''
          FROM generate_series(1, ${RECIPIENTS / 2}) n RETURNING id, username)
        INSERT INTO contacts (organisation_id, user_id, type, name, unique_key, groups)
        SELECT ${organisationId}::integer, id, 'email', username, username, '{Crm}' FROM made`;
      const news = { group: 'Crm', type: 'news', params: { message: 'Closed on Monday.' } };
      await custadmin.client.post(`/organisations/${organisationId}/notifications`, news);
    }
    const lookups = async (work: () => Promise<unknown>): Promise<number> => {
      const spy = jest.spyOn(Client.prototype, 'query');
      try {
        await work();
        return spy.mock.calls
          .map(([query]) => (query as unknown as { text?: string }).text ?? String(query))
          .filter((text) => /\bFROM brands\b/.test(text)).length;
      } finally {
        spy.mockRestore();
      }
    };
    sent.length = 0;
    expect(await lookups(() => runJobs(service))).toBe(2);
    expect(sent).toHaveLength(RECIPIENTS);
    expect(new Set(sent.map(({ fromName }) => fromName))).toEqual(new Set(['Before']));
  });
});
