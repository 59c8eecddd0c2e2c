import { TextField, WordField } from '@app/core/wire/fields';
import { NOTIFICATION_GROUPS, type NotificationGroup } from '../notification.values';
import { ParamsField } from './params-field';

/** Body of `POST …/notifications`. */
export class NotificationRequest {
  @TextField({ max: 255, required: true, description: 'What happened', example: 'maintenance' })
  type!: string;

  @WordField({ words: NOTIFICATION_GROUPS, required: true })
  group!: NotificationGroup;

  @ParamsField({ description: 'Whatever else the reader should know' })
  params?: Record<string, unknown>;
}
