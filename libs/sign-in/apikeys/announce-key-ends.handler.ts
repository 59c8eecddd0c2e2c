import { type AnnouncedKeys, KeyEndsHandler } from '@app/sign-in/keys/key-ends';
import { API_KEY_NOTICES } from './apikeys.notices';

/** Notifies users 30 and 7 days before an API key ends. */
export class AnnounceKeyEndsHandler extends KeyEndsHandler {
  readonly task = 'apikeys.announceEnds';
  override readonly times = '17 * * * *';

  protected readonly keys: AnnouncedKeys = {
    table: 'api_keys',
    notices: API_KEY_NOTICES,
    userId: 'k.user_id',
    organisationId: 'u.organisation_id',
    join: 'JOIN users u ON u.id = k.user_id AND u.enabled AND u.deleted_at IS NULL',
  };
}
