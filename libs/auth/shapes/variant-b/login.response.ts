import { ApiProperty } from '@nestjs/swagger';
import type { LoggedIn } from '../../auth.types';
import { LoginUserResponse, toLoginUserResponse } from './login-user.response';

/** Response of every successful login. */
export class LoginResponse {
  @ApiProperty()
  success!: boolean;

  @ApiProperty({ type: LoginUserResponse })
  user!: LoginUserResponse;

  @ApiProperty({ description: 'The credential for the Authorization header' })
  hash!: string;
}

export const toLoginResponse = (login: LoggedIn): LoginResponse => ({
  success: true,
  user: toLoginUserResponse(login.user),
  hash: login.hash,
});
