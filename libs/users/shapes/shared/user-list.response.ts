import { ApiProperty } from '@nestjs/swagger';
import {
  UserItemResponse,
  toUserItemResponse,
} from '@app/organisations/shapes/shared/organisation-parts.response';
import type { UserItem } from '../../user.types';

/** Response of `GET …/users`. */
export class UserListResponse {
  @ApiProperty({ type: [UserItemResponse], description: 'The users of the page' })
  users!: UserItemResponse[];
}

export const toUserListResponse = (users: readonly UserItem[]): UserListResponse => ({
  users: users.map(toUserItemResponse),
});
