import { ApiProperty } from '@nestjs/swagger';
import type { Token2fa } from '../token2fa.types';

class TrustedDeviceResponse {
  @ApiProperty({ description: 'ISO 3166-1 alpha-2 code, empty where it is not known', example: 'NL' })
  country!: string;

  @ApiProperty({ description: 'Address from which the device was trusted', example: '192.0.2.7' })
  ip!: string;

  @ApiProperty({
    description: 'Operating system, as the user agent tells it; empty where it does not',
    example: 'Windows 10',
  })
  os!: string;

  @ApiProperty({
    description: 'Browser, as the user agent tells it; empty where it does not',
    example: 'Firefox 120.0',
  })
  browser!: string;

  @ApiProperty({
    description: 'The user agent of the device, whole',
    example: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:120.0) Gecko/20100101 Firefox/120.0',
  })
  userAgent!: string;
}

/** A trusted device of a user. */
export class Token2faResponse {
  @ApiProperty({ type: 'integer', description: 'Identifier of the trusted device', example: 8 })
  id!: number;

  @ApiProperty({ type: TrustedDeviceResponse, description: 'What is known of the device' })
  trustedDevice!: TrustedDeviceResponse;

  @ApiProperty({ description: 'When it was trusted, Unix seconds as text', example: '1767225600' })
  dtCreated!: string;

  @ApiProperty({ description: 'When the trust ends, Unix seconds as text', example: '1769817600' })
  dtExpires!: string;
}

/** Response of everything that gives one trusted device. */
export class SingleToken2faResponse {
  @ApiProperty({ type: Token2faResponse, description: 'The trusted device' })
  token2fa!: Token2faResponse;
}

/** Response of the list. */
export class Token2faListResponse {
  @ApiProperty({
    type: 'integer',
    description: 'How many devices the whole list has, all pages together',
    example: 1,
  })
  total!: number;

  @ApiProperty({ type: [Token2faResponse], description: 'The trusted devices of the page' })
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
