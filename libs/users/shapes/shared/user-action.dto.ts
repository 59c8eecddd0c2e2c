import { WordField } from '@app/core/wire/field.decorators';
import { createShape } from '@app/core/wire/shapes';
import type { UserAction } from '../../user.types';

/** Body of `POST …/users/{userId}/actions`. */
class UserActionDto {
  @WordField({
    words: ['enable', 'disable'],
    required: true,
    description: 'Disabling ends logins for good and rests API keys; enabling revives the keys',
  })
  type!: UserAction['type'];
}

export const userActionShape = createShape(UserActionDto, (dto): UserAction => ({ type: dto.type }));
