import {
  ADD_ALARM_CONTACTS,
  ADD_CONTACTS_OF_MANAGERS,
  ADD_CONTACTS_OF_USERS,
  USERS_OF_A_BATCH,
} from '@app/people/notifications/contact-recipients';
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
    ['Crm', invite, ADD_CONTACTS_OF_MANAGERS, [0, false]],
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

  it('what is posted reaches all users, those of some of them with each statement', async () => {
    const { organisationId, custadmin } = large;
    await custadmin.client
      .post(`/organisations/${organisationId}/notifications`, { type: 'x', group: 'Crm' })
      .expect(201);
    const id = await notificationOf(large, 'Crm');
    const pagesAfter = (place: number): Promise<number> =>
      service.sql<{ id: number }>`
        SELECT id FROM users WHERE organisation_id = ${organisationId} ORDER BY id OFFSET ${place} LIMIT 1`.then(
        ([user]) =>
          pagesOfUndone(service.database.url, ADD_CONTACTS_OF_USERS, [id, user?.id, false, null, null]),
      );
    const ofLast = await pagesAfter(MANY - USERS_OF_A_BATCH);
    expect(await pagesAfter(0)).toBeLessThan(1.5 * ofLast);
    expect(await pagesAfter(MANY / 2)).toBeLessThan(1.5 * ofLast);
  });
});
