import { ApiProperty } from '@nestjs/swagger';
import type { UserLogin } from '../user-login.types';

/** A login of a user. */
export class UserLoginResponse {
  @ApiProperty({ type: 'integer', description: 'Identifier of the login', example: 81 })
  id!: number;

  @ApiProperty({ description: 'When the user logged in, in Unix seconds', example: '1767225600' })
  dtCreated!: string;

  @ApiProperty({
    description: 'When it was last used, in Unix seconds; written at most once a minute',
    example: '1767229200',
  })
  dtLastUsed!: string;

  @ApiProperty({ description: 'Address from which the user logged in', example: '192.0.2.7' })
  ip!: string;

  @ApiProperty({
    description: 'ISO 3166-1 alpha-2 code of that address, empty where it is not known',
    example: 'NL',
  })
  country!: string;

  @ApiProperty({
    description: 'Operating system with its version, empty where it is not known',
    example: 'Windows 10',
  })
  os!: string;

  @ApiProperty({
    description: 'Browser with its version, empty where it is not known',
    example: 'Firefox 120.0',
  })
  browser!: string;

  @ApiProperty({ description: 'Whether it is the credential of this very request', example: true })
  current!: boolean;
}

/** Response of the list. */
export class UserLoginListResponse {
  @ApiProperty({ type: 'integer', description: 'How many logins the whole list has', example: 1 })
  total!: number;

  @ApiProperty({ type: [UserLoginResponse], description: 'The logins of this page that still count' })
  logins!: UserLoginResponse[];
}

export const toUserLoginResponse = (login: UserLogin): UserLoginResponse => ({
  id: login.id,
  dtCreated: String(login.createdAt),
  dtLastUsed: String(login.lastUsedAt),
  ip: login.address,
  country: login.country,
  os: login.os,
  browser: login.browser,
  current: login.current,
});
