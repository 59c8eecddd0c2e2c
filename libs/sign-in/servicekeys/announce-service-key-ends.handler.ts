import { type AnnouncedKeys, KeyEndsHandler } from '@app/sign-in/keys/key-ends';
import { SERVICE_KEY_NOTIFICATIONS } from './servicekeys.notifications';

/** Notifies the System contacts of an organisation 30 and 7 days before a service key ends. */
export class AnnounceServiceKeyEndsHandler extends KeyEndsHandler {
  readonly task = 'servicekeys.announceEnds';
  override readonly times = '27 * * * *';

  protected readonly keys: AnnouncedKeys = {
    table: 'service_keys',
    notifications: SERVICE_KEY_NOTIFICATIONS,
    userId: 'NULL::integer',
    organisationId: 'k.organisation_id',
    join: '',
  };
}
