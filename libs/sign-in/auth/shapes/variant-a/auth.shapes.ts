import { withAsciiDomain } from '@app/formats/email-domains';
import {
  CountryResponse,
  toCountryResponse,
  USER,
} from '@app/people/organisations/shapes/shared/organisation-parts.response';
import { statusCategory } from '@app/people/organisations/status';
import {
  toUserHeadResponse,
  UserHeadResponse,
  userStatus,
} from '@app/people/users/shapes/shared/user-parts.response';
import type { UserDetails } from '@app/people/users/user.columns';
import { secondFactorRefusals } from '@app/people/users/user.types';
import { BooleanField, TextField } from '@app/platform/dto/field.decorators';
import { createShape, type EveryField, ResponseField, responseShape } from '@app/platform/dto/shapes';
import { TOTP_DIGITS } from '@app/security/passwords/step-up-fields';
import type { LoggedIn, LoginInput } from '../../auth.types';
import { AuthShapes } from '../auth.shapes';
import {
  LOGIN,
  LoginOrganisationResponse,
  LoginTeamResponse,
  toLoginOrganisationResponse,
  toLoginTeamResponse,
} from '../shared/login-parts.response';

/** Body of the set-up routes that need only the password. */
export class PasswordLoginDto {
  @TextField({
    trim: true,
    read: withAsciiDomain,
    max: 254,
    required: true,
    example: 'jan@example.nl',
    ...LOGIN.username,
  })
  username!: string;

  @TextField({ max: 4096, required: true, format: 'password', ...LOGIN.password }) password!: string;
}

/** Body of `POST /activate2fa`. */
export class ActivateTwoFactorDto extends PasswordLoginDto {
  @TextField({ max: 32, digits: TOTP_DIGITS, emptyIsAbsent: true, ...LOGIN.code }) '6digitCode'?: string;
  @BooleanField({ default: false, ...LOGIN.trustThisDevice }) trustThisDevice?: boolean;
}

/** Body of `POST /login`. */
class LoginDto extends ActivateTwoFactorDto {
  @TextField({ max: 256, emptyIsAbsent: true, ...LOGIN.deviceToken }) '2faToken'?: string;
}

/** The user in the response of a login. */
export class LoginUserResponse extends UserHeadResponse {
  @ResponseField(USER.statusCategory) statusCategory!: string;
  @ResponseField(USER.status2fa) status2fa!: string;
  @ResponseField(USER.language) language!: string;
  @ResponseField({ type: LoginOrganisationResponse, ...USER.organisation })
  organisation!: LoginOrganisationResponse;
  @ResponseField({ type: CountryResponse, ...USER.country }) country!: CountryResponse | null;
  @ResponseField({ type: [LoginTeamResponse], ...USER.teams }) teams!: LoginTeamResponse[];
}

const toLoginUserResponse = (user: UserDetails): LoginUserResponse => ({
  ...toUserHeadResponse(user),
  statusCategory: statusCategory(userStatus(user)),
  status2fa: user.secondFactor,
  language: user.language,
  organisation: toLoginOrganisationResponse(user.organisation),
  country: toCountryResponse(user.organisation.countryCode),
  teams: user.teams.map(toLoginTeamResponse),
});

/** Response of every successful login. */
export class LoginResponse {
  @ResponseField(LOGIN.success) success!: boolean;
  @ResponseField({ type: LoginUserResponse, ...LOGIN.user }) user!: LoginUserResponse;
  @ResponseField(LOGIN.hash) hash!: string;
  @ResponseField(LOGIN.hash2fa) hash2fa!: string;
}

export class VariantAuthShapes extends AuthShapes {
  readonly login = createShape(LoginDto, (dto): EveryField<LoginInput> => ({
    username: dto.username,
    password: dto.password,
    code: dto['6digitCode'],
    trustThisDevice: dto.trustThisDevice ?? false,
    deviceToken: dto['2faToken'],
  }));
  readonly loggedIn = responseShape(LoginResponse, ({ user, hash, deviceToken }: LoggedIn) => ({
    success: true,
    user: toLoginUserResponse(user),
    hash,
    hash2fa: deviceToken,
  }));
  readonly secondFactorRefusals = secondFactorRefusals(
    'SECOND_FACTOR_REQUESTED',
    'SECOND_FACTOR_REQUIRED',
    'CODE_INVALID',
    'DEVICE_TOKEN_INVALID',
  );
}
