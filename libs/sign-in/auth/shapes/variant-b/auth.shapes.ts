import { withAsciiDomain } from '@app/formats/email-domains';
import {
  CountryResponse,
  toCountryResponse,
  USER,
} from '@app/people/organisations/shapes/shared/organisation-parts.response';
import { toUserHeadResponse, UserHeadResponse } from '@app/people/users/shapes/shared/user-parts.response';
import type { UserDetails } from '@app/people/users/user.columns';
import { secondFactorRefusals } from '@app/people/users/user.types';
import { TextField } from '@app/platform/dto/field.decorators';
import { createShape, type EveryField, ResponseField, responseShape } from '@app/platform/dto/shapes';
import type { LoggedIn, LoginInput } from '../../auth.types';
import { AuthShapes } from '../auth.shapes';
import {
  LOGIN,
  LoginOrganisationResponse,
  LoginTeamResponse,
  toLoginOrganisationResponse,
  toLoginTeamResponse,
} from '../shared/login-parts.response';

/** Body of `POST /login`. */
class LoginDto {
  @TextField({
    trim: true,
    read: withAsciiDomain,
    max: 254,
    required: true,
    example: 'jan',
    ...LOGIN.username,
  })
  username!: string;
  @TextField({ max: 4096, required: true, format: 'password', ...LOGIN.password }) password!: string;
}

/** The user in the response of a login. */
export class LoginUserResponse extends UserHeadResponse {
  @ResponseField(USER.status2fa) status2fa!: string;
  @ResponseField(USER.language) language!: string;
  @ResponseField({ type: LoginOrganisationResponse, ...USER.organisation })
  organisation!: LoginOrganisationResponse;
  @ResponseField({ type: CountryResponse, ...USER.country }) country!: CountryResponse | null;
  @ResponseField({ type: [LoginTeamResponse], ...USER.teams }) teams!: LoginTeamResponse[];
}

const toLoginUserResponse = (user: UserDetails): LoginUserResponse => ({
  ...toUserHeadResponse(user),
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
}

export class VariantAuthShapes extends AuthShapes {
  readonly login = createShape(LoginDto, (dto): EveryField<LoginInput> => ({
    username: dto.username,
    password: dto.password,
    code: undefined,
    trustThisDevice: undefined,
    deviceToken: undefined,
  }));
  readonly loggedIn = responseShape(LoginResponse, ({ user, hash }: LoggedIn) => ({
    success: true,
    user: toLoginUserResponse(user),
    hash,
  }));
  readonly secondFactorRefusals = secondFactorRefusals('SECOND_FACTOR_REQUESTED', 'SECOND_FACTOR_REQUIRED');
}
