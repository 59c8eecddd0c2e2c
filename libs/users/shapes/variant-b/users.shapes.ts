import { ApiProperty } from '@nestjs/swagger';
import { replyShape } from '@app/core/wire/shapes';
import type { UserDetails } from '../../user.values';
import { userListShape } from '../same-in-both';
import { UsersShapes } from '../users.shapes';
import { UserReplyB, userReplyB } from './user-replies';
import { passwordChangeB, userChangeB } from './user-requests';

/** The answer that gives one user in Variant B. */
export class UserAnswerB {
  @ApiProperty({ type: UserReplyB })
  user!: UserReplyB;
}

/** Users in Variant B. */
export class UsersShapesB extends UsersShapes {
  readonly change = userChangeB;
  readonly passwordChange = passwordChangeB;
  readonly single = replyShape(UserAnswerB, (user: UserDetails) => ({ user: userReplyB(user) }));
  readonly list = userListShape({ tag: false });
}
