import { TextField, WordField } from '@app/core/wire/field.decorators';
import { createShape } from '@app/core/wire/shapes';
import { NOTIFICATION_GROUPS, type NotificationGroup } from '../notification.types';
import type { NewNotification } from './notification-details.types';
import { ParamsField } from './params.decorators';

/** Body of `POST …/notifications`. */
class CreateNotificationDto {
  @TextField({
    max: 255,
    required: true,
    description: 'What happened, in a word of your own',
    example: 'maintenance',
  })
  type!: string;

  @WordField({
    words: NOTIFICATION_GROUPS,
    required: true,
    description: 'What it is about: contacts that enabled the group are told',
  })
  group!: NotificationGroup;

  @ParamsField({
    description:
      'Whatever else the reader should know, at most 16,384 bytes of JSON and 10 levels deep. Texts subject and message become the mail, the others lines of it',
  })
  params?: Record<string, unknown>;
}

export const createNotificationShape = createShape(CreateNotificationDto, (dto): NewNotification => ({
  type: dto.type,
  group: dto.group,
  params: dto.params ?? {},
}));
