import { Injectable } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { BooleanField, TextField } from '@app/core/wire/fields';
import { creationShape, replyShape } from '@app/core/wire/shapes';
import type { LoginAttempt, PasswordLogin } from '../../auth.values';

/** Body of the set-up routes that need nothing but the password. */
class PasswordLoginRequest {
  @TextField({ max: 254, required: true, example: 'jan@example.nl' })
  username!: string;

  @TextField({ max: 4096, required: true, format: 'password' })
  password!: string;
}

/** Body of `POST /activate2fa`. */
class ActivationRequest {
  @TextField({ max: 254, required: true, example: 'jan@example.nl' })
  username!: string;

  @TextField({ max: 4096, required: true, format: 'password' })
  password!: string;

  @TextField({ max: 32, emptyIsAbsent: true, description: 'Code of the authenticator', example: '123456' })
  '6digitCode'?: string;

  @BooleanField({ default: false, description: 'Asks for no code from this device for 30 days' })
  trustThisDevice?: boolean;
}

/** Answer of `POST /enable2faandget2fasecret`. */
class SecretAnswer {
  @ApiProperty()
  success!: boolean;

  @ApiProperty({ description: 'Base32, for the authenticator', example: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' })
  secret!: string;
}

/** Answer of `POST /cancel2faActivation`. */
class CancelAnswer {
  @ApiProperty()
  success!: boolean;
}

/** Setting two-factor login up (Variant A only). */
@Injectable()
export class TwoFactorShapes {
  readonly passwordLogin = creationShape(PasswordLoginRequest, (dto): PasswordLogin => ({
    username: dto.username,
    password: dto.password,
  }));

  readonly activation = creationShape(ActivationRequest, (dto): LoginAttempt => ({
    username: dto.username,
    password: dto.password,
    code: dto['6digitCode'],
    trustThisDevice: dto.trustThisDevice ?? false,
  }));

  readonly secret = replyShape(SecretAnswer, (secret: string) => ({ success: true, secret }));
  readonly cancelled = replyShape(CancelAnswer, (_: void) => ({ success: true }));
}
