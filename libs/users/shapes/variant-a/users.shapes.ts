import { ApiProperty } from '@nestjs/swagger';
import { replyShape } from '@app/core/wire/shapes';
import type { UserDetails } from '../../user.values';
import { userListShape } from '../same-in-both';
import { UsersShapes } from '../users.shapes';
import { UserReplyA, userReplyA } from './user-replies';
import { passwordChangeA, userChangeA } from './user-requests';

/** The answer that gives one user in Variant A. */
export class UserAnswerA {
  @ApiProperty({ type: UserReplyA })
  user!: UserReplyA;
}

/** Users in Variant A. */
export class UsersShapesA extends UsersShapes {
  readonly change = userChangeA;
  readonly passwordChange = passwordChangeA;
  readonly single = replyShape(UserAnswerA, (user: UserDetails) => ({ user: userReplyA(user) }));
  readonly list = userListShape({ tag: true });
}
