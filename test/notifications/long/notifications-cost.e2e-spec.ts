import { ADD_ALARM_CONTACTS, ADD_CONTACTS } from '@app/people/notifications/contact-recipients';
import { type Customer, makeCustomer } from '../../support/factories/factories';
import { pagesOfUndone } from '../../support/generators/query-cost';
import { describeService } from '../../support/service/service';

const MANY = 2000;

describeService(['A'], 'notifications of an organisation with 2,000 users', (service) => {
  let large: Customer;
  let small: Customer;

  beforeAll(async () => {
    [large, small] = [await makeCustomer(service), await makeCustomer(service)];
    await service.sql`
      WITH made AS (INSERT INTO users (organisation_id, username, first_name, last_name, password_hash)
        SELECT ${large.organisationId}, 'user' || n || '@customer.example', 'Jan', 'Bakker', ''
        FROM generate_series(1, ${MANY}) n RETURNING id, username)
      INSERT INTO contacts (organisation_id, user_id, type, name, unique_key, groups)
        SELECT ${large.organisationId}, id, 'email', username, username, ARRAY['System', 'Crm'] FROM made`;
    await service.sql('VACUUM ANALYZE users, contacts');
  });

  /** The newest notification of a group. */
  async function notificationOf({ organisationId }: Customer, group: string): Promise<number> {
    const [notification] = await service.sql<{ id: number }>`
      SELECT max(id)::integer AS id FROM notifications
      WHERE organisation_id = ${organisationId} AND notification_group = ${group}`;
    return (notification as { id: number }).id;
  }

  const makeKey = ({ organisationId, custadmin }: Customer) =>
    custadmin.client
      .post(`/organisations/${organisationId}/users/${custadmin.id}/apikeys`, { name: 'Shop', whitelist: [] })
      .expect(200);
  const invite = ({ organisationId, custadmin }: Customer) =>
    custadmin.client
      .post(`/organisations/${organisationId}/invitations`, {
        email: 'lotte@example.com',
        firstName: 'Lotte',
        lastName: 'Janssens',
      })
      .expect(201);

  it.each([
    ['System', makeKey, ADD_ALARM_CONTACTS, [null]],
    ['Crm', invite, ADD_CONTACTS, [false, null, false]],
  ] as const)(
    '%s: finds whom it tells without a look at the contacts of the others',
    async (group, act, text, values) => {
      const pagesOf = async (customer: Customer): Promise<number> => {
        await act(customer);
        return pagesOfUndone(service.database.url, text, [await notificationOf(customer, group), ...values]);
      };
      expect((await pagesOf(large)) - (await pagesOf(small))).toBeLessThan(MANY / 100);
    },
  );
});
