import { ApiProperty } from '@nestjs/swagger';
import type { Token2fa } from '../token2fa.types';

class TrustedDeviceResponse {
  @ApiProperty({ description: 'ISO 3166-1 alpha-2 code, empty where it is not known', example: 'NL' })
  country!: string;

  @ApiProperty({ description: 'Address from which the device was trusted', example: '192.0.2.7' })
  ip!: string;

  @ApiProperty({ example: 'Windows 10' })
  os!: string;

  @ApiProperty({ example: 'Firefox 120.0' })
  browser!: string;

  @ApiProperty({
    example: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:120.0) Gecko/20100101 Firefox/120.0',
  })
  userAgent!: string;
}

/** A trusted device of a user. */
export class Token2faResponse {
  @ApiProperty({ type: 'integer', example: 8 })
  id!: number;

  @ApiProperty({ type: TrustedDeviceResponse })
  trustedDevice!: TrustedDeviceResponse;

  @ApiProperty({ description: 'Unix seconds', example: '1767225600' })
  dtCreated!: string;

  @ApiProperty({ description: 'Unix seconds', example: '1769817600' })
  dtExpires!: string;
}

/** Response of everything that gives one trusted device. */
export class SingleToken2faResponse {
  @ApiProperty({ type: Token2faResponse })
  token2fa!: Token2faResponse;
}

/** Response of the list. */
export class Token2faListResponse {
  @ApiProperty({ type: 'integer', example: 1 })
  total!: number;

  @ApiProperty({ type: [Token2faResponse] })
  tokens2fa!: Token2faResponse[];
}

export const toToken2faResponse = (token: Token2fa): Token2faResponse => ({
  id: token.id,
  trustedDevice: {
    country: token.country,
    ip: token.address,
    os: token.os,
    browser: token.browser,
    userAgent: token.userAgent,
  },
  dtCreated: String(token.createdAt),
  dtExpires: String(token.expiresAt),
});
