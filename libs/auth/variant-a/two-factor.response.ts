import { ApiProperty } from '@nestjs/swagger';
import { LOGIN } from '../shapes/shared/login.properties';

/** Response of `POST /enable2faandget2fasecret`. */
export class TwoFactorSecretResponse {
  @ApiProperty(LOGIN.success)
  success!: boolean;

  @ApiProperty({
    description:
      'The secret for the authenticator, base32 (TOTP, SHA-1, 6 digits, 30 seconds); another one each time',
    example: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  })
  secret!: string;
}

/** Response of `POST /cancel2faActivation`. */
export class CancelActivationResponse {
  @ApiProperty(LOGIN.success)
  success!: boolean;
}
