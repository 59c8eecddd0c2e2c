import { asAdmin } from './support/client';
import { makeOrganisation, makeUser, PASSWORD } from './support/factories';
import { startTestService, type TestService } from './support/service';
import { VARIANTS, type PerVariant } from './support/variants';

/** Reading notifications, and creating one. */
const STATUSES: PerVariant<readonly [number, number]> = { A: [404, 404], B: [200, 201] };

describe.each(VARIANTS)('what happens in Variant %s', (variant) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(variant);
  });
  afterAll(() => service.stop());

  it('is recorded in one transaction with a password change, or not at all', async () => {
    const organisation = await makeOrganisation(service);
    const user = await makeUser(service, { organisationId: organisation });
    const change = (oldPassword: string) =>
      user.client.post(`/organisations/${organisation}/users/${user.id}/changepassword`, {
        oldPassword,
        password: 'An0ther-Passw0rd',
      });
    await change('wrong').expect(400);
    const recorded = (): Promise<object[]> =>
      service.sql(
        'SELECT notification_group, type, entity_class, entity_id, user_id FROM notifications WHERE organisation_id = $1',
        [organisation],
      );
    expect(await recorded()).toEqual([]);
    await change(PASSWORD).expect(200);
    expect(await recorded()).toEqual([
      {
        notification_group: 'System',
        type: 'password_changed',
        entity_class: 'User',
        entity_id: user.id,
        user_id: user.id,
      },
    ]);
  });

  it('has the routes that its variant has', async () => {
    const admin = await asAdmin(service);
    const [listed, created] = STATUSES[variant];
    await admin.get('/organisations/1/notifications').expect(listed);
    await admin.get('/organisations/1/notifications/crm').expect(listed);
    await admin.post('/organisations/1/notifications', { type: 'x', group: 'App' }).expect(created);
  });
});
