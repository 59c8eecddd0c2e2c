import { ApiProperty } from '@nestjs/swagger';
import { TextField } from '@app/core/wire/fields';
import { creationShape, replyShape } from '@app/core/wire/shapes';
import type { LoggedIn, LoginAttempt } from '../../auth.values';
import { AuthShapes } from '../auth.shapes';
import { LoginUserB, loginUserB } from './login-user';

/** Body of `POST /login` in Variant B. */
export class LoginRequestB {
  @TextField({ max: 254, required: true, example: 'jan', description: 'Login name or e-mail address' })
  username!: string;

  @TextField({ max: 4096, required: true, format: 'password' })
  password!: string;
}

/** Answer of a login in Variant B. */
class LoginAnswerB {
  @ApiProperty()
  success!: boolean;

  @ApiProperty({ type: LoginUserB })
  user!: LoginUserB;

  @ApiProperty({ description: 'The credential for the Authorization header' })
  hash!: string;
}

/** Login in Variant B. */
export class AuthShapesB extends AuthShapes {
  readonly login = creationShape(LoginRequestB, (dto): LoginAttempt => ({
    username: dto.username,
    password: dto.password,
  }));

  readonly loggedIn = replyShape(LoginAnswerB, (login: LoggedIn) => ({
    success: true,
    user: loginUserB(login.user),
    hash: login.hash,
  }));
}
