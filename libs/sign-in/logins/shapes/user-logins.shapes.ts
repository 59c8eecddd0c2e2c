import { ResponseField, RestrictedField } from '@app/platform/dto/shapes';
import { listOf } from '@app/platform/lists/list-request';
import { USER_LOGIN_COLUMNS, type UserLogin } from '../user-login.columns';

/** A login of a user. */
export class UserLoginResponse {
  @ResponseField({ type: 'integer', description: 'Identifier of the login', example: 81 }) id!: number;

  @ResponseField({ description: 'When the user logged in, in Unix seconds', example: '1767225600' })
  dtCreated!: string;

  @ResponseField({
    description: 'When it was last used, in Unix seconds; written at most once a minute',
    example: '1767229200',
  })
  dtLastUsed!: string;

  @ResponseField({
    description: 'Address from which the user logged in; empty for a support login',
    example: '192.0.2.7',
  })
  ip!: string;

  @ResponseField({
    description: 'ISO 3166-1 alpha-2 code of that address, empty where it is not known',
    example: 'NL',
  })
  country!: string;

  @ResponseField({
    description: 'Operating system with its version, empty where it is not known',
    example: 'Windows 10',
  })
  os!: string;

  @ResponseField({
    description: 'Browser with its version, empty where it is not known',
    example: 'Firefox 120.0',
  })
  browser!: string;

  @ResponseField({
    type: 'boolean',
    description: 'Whether it is the credential of this very request',
    example: true,
  })
  current!: boolean;

  @RestrictedField({
    type: 'boolean',
    description: 'Always true: staff acts in the name of the user with it. Absent for other logins',
    example: true,
  })
  support?: boolean;

  @RestrictedField({
    description: 'Why staff acts in the name of the user; absent for other logins',
    example: 'Ticket 4711: mail does not arrive',
  })
  reason?: string;

  @RestrictedField({
    description:
      'Name of the service key whose link stood for the password, as it was called then; absent for other logins',
    example: 'Billing',
  })
  serviceKey?: string;
}

const toUserLoginResponse = (login: UserLogin): UserLoginResponse => ({
  id: login.id,
  dtCreated: String(login.createdAt),
  dtLastUsed: String(login.lastUsedAt),
  ip: login.address,
  country: login.country,
  os: login.os,
  browser: login.browser,
  current: login.current,
  ...(login.support && { support: true, reason: login.reason }),
  ...(login.serviceKey !== '' && { serviceKey: login.serviceKey }),
});

/** The response shapes of logins, the same in both variants. */
export class UserLoginsShapes {
  readonly list = listOf('logins', USER_LOGIN_COLUMNS, UserLoginResponse, toUserLoginResponse, {
    orders: { dtCreated: 'createdAt', dtLastUsed: 'lastUsedAt', ip: 'address' },
    description: 'The logins of this page that still count',
    total: { type: 'integer', description: 'How many logins the whole list has', example: 1 },
  });
}
