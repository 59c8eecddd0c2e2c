import { ApiProperty } from '@nestjs/swagger';
import { replyShape, type ReplyShape, type RequestShape } from '@app/core/wire/shapes';
import { emailOf } from '@app/organisations/shapes/parts';
import type { Identity, LoggedIn, LoginAttempt } from '../auth.values';

/** Answer of `GET /whoami`. */
class IdentityAnswer {
  @ApiProperty({ type: 'integer', example: 34 })
  userId!: number;

  @ApiProperty({ type: 'integer', example: 12 })
  organisationId!: number;

  @ApiProperty({ example: 'jan@example.nl' })
  username!: string;

  @ApiProperty({ example: 'Jan de Vries' })
  name!: string;

  @ApiProperty({ example: 'jan@example.nl' })
  email!: string;
}

/** The request and response shapes of login, in the running variant. */
export abstract class AuthShapes {
  /** Body of `POST /login`. */
  abstract readonly login: RequestShape<LoginAttempt>;
  /** Answer of every successful login. */
  abstract readonly loggedIn: ReplyShape<LoggedIn>;

  readonly identity = replyShape(IdentityAnswer, (identity: Identity) => ({
    userId: identity.userId,
    organisationId: identity.organisationId,
    username: identity.username,
    name: `${identity.firstName} ${identity.lastName}`,
    email: emailOf(identity.username),
  }));
}
