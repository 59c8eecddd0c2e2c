import { ApiProperty } from '@nestjs/swagger';

/** Response of `POST /enable2faandget2fasecret`. */
export class TwoFactorSecretResponse {
  @ApiProperty()
  success!: boolean;

  @ApiProperty({ description: 'Base32, for the authenticator', example: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' })
  secret!: string;
}

/** Response of `POST /cancel2faActivation`. */
export class CancelActivationResponse {
  @ApiProperty()
  success!: boolean;
}
