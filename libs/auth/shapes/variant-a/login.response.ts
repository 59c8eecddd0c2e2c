import { ApiProperty } from '@nestjs/swagger';
import type { LoggedIn } from '../../auth.types';
import { LoginUserResponse, toLoginUserResponse } from './login-user.response';
import { LOGIN } from '../shared/login.properties';

/** Response of every successful login. */
export class LoginResponse {
  @ApiProperty(LOGIN.success)
  success!: boolean;

  @ApiProperty({ type: LoginUserResponse, ...LOGIN.user })
  user!: LoginUserResponse;

  @ApiProperty(LOGIN.hash)
  hash!: string;

  @ApiProperty(LOGIN.hash2fa)
  hash2fa!: string;
}

export const toLoginResponse = (login: LoggedIn): LoginResponse => ({
  success: true,
  user: toLoginUserResponse(login.user),
  hash: login.hash,
  hash2fa: login.deviceToken,
});
