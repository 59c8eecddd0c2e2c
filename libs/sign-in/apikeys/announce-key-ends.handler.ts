import { type AnnouncedKeys, KeyEndsHandler } from '@app/sign-in/keys/key-ends';
import { API_KEY_NOTIFICATIONS } from './apikeys.notifications';

/** Notifies users 30 and 7 days before an API key ends. */
export class AnnounceKeyEndsHandler extends KeyEndsHandler {
  readonly task = 'apikeys.announceEnds';
  override readonly times = '17 * * * *';

  protected readonly keys: AnnouncedKeys = {
    table: 'api_keys',
    notifications: API_KEY_NOTIFICATIONS,
    userId: 'k.user_id',
    organisationId: 'u.organisation_id',
    join: 'JOIN users u ON u.id = k.user_id AND u.enabled AND u.deleted_at IS NULL',
  };
}
