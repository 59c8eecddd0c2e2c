import { ResponseField, singleOf } from '@app/platform/dto/shapes';
import { listOf } from '@app/platform/lists/list-request';
import { type Token2fa, TOKEN2FA_COLUMNS } from '../token2fa.columns';

class TrustedDeviceResponse {
  @ResponseField({ description: 'ISO 3166-1 alpha-2 code, empty where it is not known', example: 'NL' })
  country!: string;

  @ResponseField({ description: 'Address from which the device was trusted', example: '192.0.2.7' })
  ip!: string;

  @ResponseField({
    description: 'Operating system, as the user agent tells it; empty where it does not',
    example: 'Windows 10',
  })
  os!: string;

  @ResponseField({
    description: 'Browser, as the user agent tells it; empty where it does not',
    example: 'Firefox 120.0',
  })
  browser!: string;

  @ResponseField({
    description: 'The user agent of the device, whole',
    example: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:120.0) Gecko/20100101 Firefox/120.0',
  })
  userAgent!: string;
}

/** A trusted device of a user. */
export class Token2faResponse {
  @ResponseField({ type: 'integer', description: 'Identifier of the trusted device', example: 8 })
  id!: number;

  @ResponseField({ type: TrustedDeviceResponse, description: 'What is known of the device' })
  trustedDevice!: TrustedDeviceResponse;

  @ResponseField({ description: 'When it was trusted, Unix seconds as text', example: '1767225600' })
  dtCreated!: string;

  @ResponseField({ description: 'When the trust ends, Unix seconds as text', example: '1769817600' })
  dtExpires!: string;
}

const toToken2faResponse = (token: Token2fa): Token2faResponse => ({
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

/** The response shapes of trusted devices, which only Variant A has. */
export class Tokens2faShapes {
  /** Response with one trusted device. */
  readonly single = singleOf('token2fa', Token2faResponse, toToken2faResponse, {
    description: 'The trusted device',
  });
  readonly list = listOf('tokens2fa', TOKEN2FA_COLUMNS, Token2faResponse, toToken2faResponse, {
    orders: { dtCreated: 'createdAt', dtExpires: 'expiresAt' },
    description: 'The trusted devices of the page',
    total: {
      type: 'integer',
      description: 'How many devices the whole list has, all pages together',
      example: 1,
    },
  });
}
