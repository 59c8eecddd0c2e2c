import { ApiProperty } from '@nestjs/swagger';
import { WordField } from '@app/core/wire/fields';
import { creationShape, listShape, type ListShape } from '@app/core/wire/shapes';
import { UserItemReply, userItemReply } from '@app/organisations/shapes/parts';
import type { UserAction, UserItem, UserOrder } from '../user.values';

/** Body of `POST …/users/{userId}/actions`. */
export class UserActionRequest {
  @WordField({ words: ['enable', 'disable'], required: true })
  type!: UserAction['type'];
}

export const actionShape = creationShape(UserActionRequest, (dto): UserAction => ({ type: dto.type }));

class UserListAnswer {
  @ApiProperty({ type: [UserItemReply] })
  users!: UserItemReply[];
}

/** The list of users: the same items in both variants; only Variant A has `tag`. */
export const userListShape = ({ tag }: { tag: boolean }): ListShape<UserItem, UserOrder> =>
  listShape<UserItem, UserListAnswer, UserOrder>(
    UserListAnswer,
    {
      orderBy: {
        id: 'id',
        username: 'username',
        email: 'username',
        firstName: 'firstName',
        lastName: 'lastName',
      },
      search: {},
      tag,
    },
    (page) => ({ users: page.items.map(userItemReply) }),
  );
