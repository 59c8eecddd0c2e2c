import { DeliveryTurns } from '@app/feeds/webhooks/delivery-turns';
import { type MadeUser, makeCustomer, makeUser } from '../../support/factories/factories';
import { deliverWebhooks, localReceivers } from '../../support/factories/webhooks-factories';
import { useReceivers } from '../../support/faults/receiver';
import { pageWorkOf, rowWorkOf } from '../../support/generators/query-cost';
import { useService } from '../../support/service/service';

const ORGANISATIONS = 1000;
/** As many as an organisation may have. */
const OF_ORGANISATION = 20;
const PARTS = 10;

/** Rows, and pages of tables and indexes, that PostgreSQL may look at for a look that finds nothing due. */
const MOST_ROWS = 30;
const MOST_PAGES = 40;

describe('a look for due webhooks beside 20,000 that wait for tomorrow', () => {
  const service = useService('A', { overrides: [localReceivers()] });
  const startReceiver = useReceivers();
  let custadmin: MadeUser;
  let organisationId: number;

  const look = (): Promise<void> => service.app.get(DeliveryTurns).begin();

  beforeAll(async () => {
    // Of customers of their own, as those of one customer have 200 together.
    await service.sql`INSERT INTO organisations (name, tax_number, parent_id)
      SELECT 'Waiting ' || n, 'NL' || n, 1 FROM generate_series(1, ${ORGANISATIONS}) n`;
    // In parts: the limit of deliveries locks each webhook of a statement.
    for (let part = 0; part < PARTS; part++)
      await service.sql`WITH webhook AS (
        INSERT INTO webhooks (organisation_id, url, events, encrypted_secret, made_after, is_slow, taken_until)
        SELECT id, 'https://receiver.example/', '{contacts.created}', '', 0, true, now() - interval '1 hour'
        FROM organisations CROSS JOIN generate_series(1, ${OF_ORGANISATION})
        WHERE name LIKE 'Waiting %' AND id % ${PARTS} = ${part} RETURNING id)
      INSERT INTO webhook_deliveries (webhook_id, message_id, event, body, failures, next_try_at)
      SELECT id, gen_random_uuid(), 'contacts.created', '{}', 8, now() + interval '1 day' FROM webhook`;
    ({ custadmin, organisationId } = await makeCustomer(service));
    await deliverWebhooks(service);
  }, 120_000);

  describe.each(['before', 'after'])('%s PostgreSQL has looked at the tables', (when) => {
    beforeAll(async () => {
      if (when === 'after') await service.sql('ANALYZE');
    });

    it('reads none of them', async () => {
      expect(await rowWorkOf(service.database.url, look)).toBeLessThan(MOST_ROWS);
      const pages = await pageWorkOf(service.database.url, look);
      expect(pages).toBeGreaterThan(0);
      expect(pages).toBeLessThan(MOST_PAGES);
    });

    it('finds the one that is due', async () => {
      const receiver = await startReceiver();
      await custadmin.client
        .post(`/organisations/${organisationId}/webhooks`, { url: receiver.url, events: ['users.created'] })
        .expect(201);
      await makeUser(service, { organisationId });
      await deliverWebhooks(service);
      expect(receiver.messages).toHaveLength(1);
    });
  });
});
