import { Injectable } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { listShape, replyShape } from '@app/core/wire/shapes';
import type { Token2fa, Token2faOrder } from '../token2fa.values';

class TrustedDeviceReply {
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

class Token2faReply {
  @ApiProperty({ type: 'integer', example: 8 })
  id!: number;

  @ApiProperty({ type: TrustedDeviceReply })
  trustedDevice!: TrustedDeviceReply;

  @ApiProperty({ description: 'Unix seconds', example: '1767225600' })
  dtCreated!: string;

  @ApiProperty({ description: 'Unix seconds', example: '1769817600' })
  dtExpires!: string;
}

class Token2faAnswer {
  @ApiProperty({ type: Token2faReply })
  token2fa!: Token2faReply;
}

class Tokens2faListAnswer {
  @ApiProperty({ type: 'integer', example: 1 })
  total!: number;

  @ApiProperty({ type: [Token2faReply] })
  tokens2fa!: Token2faReply[];
}

const token2faReply = (token: Token2fa): Token2faReply => ({
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

/** Trusted devices (Variant A only). */
@Injectable()
export class Tokens2faShapes {
  readonly single = replyShape(Token2faAnswer, (token: Token2fa) => ({ token2fa: token2faReply(token) }));

  readonly list = listShape<Token2fa, Tokens2faListAnswer, Token2faOrder>(
    Tokens2faListAnswer,
    { orderBy: { id: 'id', dtCreated: 'createdAt', dtExpires: 'expiresAt' }, search: {}, tag: true },
    (page) => ({ total: page.total ?? 0, tokens2fa: page.items.map(token2faReply) }),
  );
}
