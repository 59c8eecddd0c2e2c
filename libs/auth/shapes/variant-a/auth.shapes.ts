import { ApiProperty } from '@nestjs/swagger';
import { BooleanField, TextField } from '@app/core/wire/fields';
import { creationShape, replyShape } from '@app/core/wire/shapes';
import type { LoggedIn, LoginAttempt } from '../../auth.values';
import { AuthShapes } from '../auth.shapes';
import { LoginUserA, loginUserA } from './login-user';

/** Body of `POST /login` in Variant A. */
export class LoginRequestA {
  @TextField({ max: 254, required: true, example: 'jan@example.nl' })
  username!: string;

  @TextField({ max: 4096, required: true, format: 'password' })
  password!: string;

  @TextField({ max: 32, emptyIsAbsent: true, description: 'Code of the authenticator', example: '123456' })
  '6digitCode'?: string;

  @BooleanField({ default: false, description: 'Asks for no code from this device for 30 days' })
  trustThisDevice?: boolean;

  @TextField({
    max: 256,
    emptyIsAbsent: true,
    description: 'hash2fa of an earlier login: no code is asked for',
  })
  '2faToken'?: string;
}

/** Answer of a login in Variant A. */
class LoginAnswerA {
  @ApiProperty()
  success!: boolean;

  @ApiProperty({ type: LoginUserA })
  user!: LoginUserA;

  @ApiProperty({ description: 'The credential for the Authorization header' })
  hash!: string;

  @ApiProperty({ description: 'Token of the trusted device, else empty' })
  hash2fa!: string;
}

/** Login in Variant A. */
export class AuthShapesA extends AuthShapes {
  readonly login = creationShape(LoginRequestA, (dto): LoginAttempt => ({
    username: dto.username,
    password: dto.password,
    code: dto['6digitCode'],
    trustThisDevice: dto.trustThisDevice ?? false,
    deviceToken: dto['2faToken'],
  }));

  readonly loggedIn = replyShape(LoginAnswerA, (login: LoggedIn) => ({
    success: true,
    user: loginUserA(login.user),
    hash: login.hash,
    hash2fa: login.deviceToken,
  }));
}
