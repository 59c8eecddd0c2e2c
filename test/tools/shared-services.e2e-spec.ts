import { Settings } from '@app/config/settings';
import { Clock } from '@app/people/users/clock';
import { makeCustomer, nextNumber } from '../support/factories/factories';
import { makeWebhook } from '../support/factories/webhooks-factories';
import { asAdmin } from '../support/service/client';
import { useServicePerTest } from '../support/service/service';
import { differences, globalStateOf } from '../support/service/shared-services';

/** What each change leaves behind for the next test file that shares the service. */
describe('globalStateOf of a shared test service', () => {
  const service = useServicePerTest('A');

  const left = async (change: () => unknown): Promise<string[]> => {
    const before = await globalStateOf(service);
    await change();
    return differences(before, await globalStateOf(service)).map((line) => line.replace(/: .*$/s, ''));
  };

  it('stays when customers are made and changed', async () => {
    const leftBehind = await left(async () => {
      const { organisationId } = await makeCustomer(service);
      const admin = await asAdmin(service);
      await admin
        .put(`/organisations/${organisationId}`, { name: `N ${nextNumber()}`, taxNumber: 'T' })
        .expect(204);
    });
    expect(leftBehind).toEqual([]);
  });

  it.each<[string, () => unknown]>([
    ['settings', () => Object.assign(service.app.get(Settings), { companyName: 'Other' })],
    ['replaced methods', () => (service.app.get(Clock).now = () => new Date(0))],
    ['operator organisation', () => service.sql`UPDATE organisations SET city = 'Delft' WHERE id = 1`],
    ['first admin', () => service.sql`UPDATE users SET password_hash = 'x' WHERE id = 1`],
    ['its teams', () => service.sql`INSERT INTO teams (organisation_id, name) VALUES (1, 'Staff')`],
    ['price groups', () => service.sql`INSERT INTO price_groups (description) VALUES ('other')`],
    [
      'enabled webhooks',
      async () => {
        const { organisationId } = await makeCustomer(service);
        await makeWebhook(service, organisationId);
        await service.sql`UPDATE webhooks SET enabled = true, encrypted_secret = 'x'`;
      },
    ],
  ])('names a change of: %s', async (part, change) => {
    expect(await left(change)).toEqual([part]);
  });
});
