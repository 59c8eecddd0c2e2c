import { makeManaged, type Managed } from '../../support/factories/grant-people-factories';
import { pageWorkOf, rowWorkOf } from '../../support/generators/query-cost';
import { describeService, type TestService } from '../../support/service/service';

const FEW = 100;
const MANY = 100_000;

/** So many that PostgreSQL goes through them in the order of the list. */
const SHOWN = 20_000;

/**
 * A grant to manage, and news that it shows, before and after which stand news of
 * System that it does not show.
 */
async function managedWith(service: TestService, hidden: number): Promise<Managed> {
  const managed = await makeManaged(service);
  const add = (count: number, group: string, isWritten: boolean) => service.sql`
    INSERT INTO notifications
      (organisation_id, notification_group, type, entity_class, entity_id, entity_name, is_expanded, is_written)
    SELECT ${managed.giver.organisationId}, ${group}, 'new', 'User', 1, 'Jan', true, ${isWritten}
    FROM generate_series(1, ${count})`;
  await add(hidden / 2, 'System', false);
  await add(3, 'Crm', false);
  await add(3, 'System', true);
  await add(SHOWN, 'Finance', false);
  await add(hidden / 2, 'System', false);
  return managed;
}

describeService(['A'], 'news by a grant', (service) => {
  let few: Managed;
  let many: Managed;
  beforeAll(async () => {
    few = await managedWith(service, FEW);
    many = await managedWith(service, MANY);
    await service.sql('VACUUM ANALYZE notifications, acls, users, organisations');
  });

  it.each([
    ['the first page', ''],
    ['a page in descending order', '?orderType=desc'],
    ['a page behind others', '?limit=10&offset=5'],
    ['the last page', `?limit=10&offset=${SHOWN}`],
    ['a page of 25', '?limit=25'],
    ['the news of Crm', '/crm'],
  ])('%s costs as much with 100,000 rows that it does not show as with 100', async (_, query) => {
    const costs: number[][] = [];
    for (const { agency, of } of [few, many]) {
      const read = () => agency.custadmin.client.get(`${of}/notifications${query}`).expect(200);
      const { body } = await read();
      const { notifications } = body as { notifications: { notificationGroup: string }[] };
      expect(notifications.length).toBeGreaterThan(2);
      costs.push([await pageWorkOf(service.database.url, read), await rowWorkOf(service.database.url, read)]);
    }
    const [[pagesOfFew = 0, rowsOfFew = 0] = [], [pagesOfMany = 0, rowsOfMany = 0] = []] = costs;
    expect(pagesOfMany).toBeLessThanOrEqual(1.5 * pagesOfFew);
    // Plans differ by what they know of the sizes, within the rows that are shown.
    expect(rowsOfMany).toBeLessThanOrEqual(rowsOfFew + 1000);
  });

  it('shows what stands between the others, once', async () => {
    const path = `${many.of}/notifications?limit=10`;
    const read = async (query: string): Promise<string[]> => {
      const { body } = await many.agency.custadmin.client.get(`${path}${query}`).expect(200);
      const { notifications } = body as { notifications: { notificationGroup: string }[] };
      return notifications.map(({ notificationGroup }) => notificationGroup);
    };
    const first = [
      'Crm',
      'Crm',
      'Crm',
      'System',
      'System',
      'System',
      'Finance',
      'Finance',
      'Finance',
      'Finance',
    ];
    expect(await read('')).toEqual(first);
    expect(await read(`&offset=${SHOWN + 3}`)).toEqual(['Finance', 'Finance', 'Finance']);
  });
});
