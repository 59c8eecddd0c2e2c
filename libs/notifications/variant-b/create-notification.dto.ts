import { TextField, WordField } from '@app/core/wire/field.decorators';
import { createShape } from '@app/core/wire/shapes';
import { NOTIFICATION_GROUPS, type NotificationGroup } from '../notification.types';
import type { NewNotification } from './notification-details.types';
import { ParamsField } from './params.decorators';

/** Body of `POST …/notifications`. */
class CreateNotificationDto {
  @TextField({ max: 255, required: true, description: 'What happened', example: 'maintenance' })
  type!: string;

  @WordField({ words: NOTIFICATION_GROUPS, required: true })
  group!: NotificationGroup;

  @ParamsField({ description: 'Whatever else the reader should know' })
  params?: Record<string, unknown>;
}

export const createNotificationShape = createShape(CreateNotificationDto, (dto): NewNotification => ({
  type: dto.type,
  group: dto.group,
  params: dto.params ?? {},
}));
