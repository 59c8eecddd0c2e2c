import type { TestService } from '../service/service';
import type { MadeUser } from './factories';

/** What the users and contacts were told about a user, in this order: class and type of each notification. */
export async function notificationsAbout(
  service: TestService,
  { id }: Pick<MadeUser, 'id'>,
): Promise<string[]> {
  const rows = await service.sql<{ type: string }>`
    SELECT entity_class || '.' || type AS type FROM notifications WHERE about_user_id = ${id} ORDER BY id`;
  return rows.map(({ type }) => type);
}
