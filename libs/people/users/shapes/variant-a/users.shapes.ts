import {
  CountryResponse,
  toCountryResponse,
  USER,
} from '@app/people/organisations/shapes/shared/organisation-parts.response';
import { TextField, WordField } from '@app/platform/dto/field.decorators';
import { type EveryField, ResponseField, singleOf, updateShape } from '@app/platform/dto/shapes';
import { parseCsvList } from '@app/platform/dto/text-rules';
import { VARIANT_A_PASSWORD_RULES } from '@app/security/passwords/password-rules';
import { StepUpCodeField, StepUpPasswordField, stepUpProof } from '@app/security/passwords/step-up-fields';
import { statusCategory } from '../../../organisations/status';
import type { UserDetails } from '../../user.columns';
import { type Language, LANGUAGES, type UserChanges } from '../../user.types';
import {
  OrganisationOfUserResponse,
  TeamOfUserResponse,
  toOrganisationOfUserResponse,
  toTeamOfUserResponse,
  toUserHeadResponse,
  UserHeadResponse,
  userStatus,
} from '../shared/user-parts.response';
import { EmailOrPresentNameField, IS_EMAIL, RolesField } from '../user.decorators';
import { changePasswordShape, UsersShapes } from '../users.shapes';

/** Body of `PATCH …/users/{userId}`. */
class UpdateUserDto {
  @EmailOrPresentNameField() username!: string;
  @TextField({ max: 255, required: true, ...USER.firstName }) firstName!: string;
  @TextField({ max: 255, required: true, ...USER.lastName }) lastName!: string;
  @RolesField() defaultRoles?: string;
  @WordField({ words: LANGUAGES, ...USER.language }) language?: Language;
  @StepUpPasswordField() password?: string | null;
  @StepUpCodeField() '6digitCode'?: string | null;
}

/** A user, except in the response of a login. */
export class UserResponse extends UserHeadResponse {
  @ResponseField(USER.statusCategory) statusCategory!: string;
  @ResponseField(USER.language) language!: string;

  @ResponseField({ type: OrganisationOfUserResponse, ...USER.organisation })
  organisation!: OrganisationOfUserResponse;

  @ResponseField({ type: CountryResponse, ...USER.country }) country!: CountryResponse | null;
  @ResponseField({ type: [TeamOfUserResponse], ...USER.teams }) teams!: TeamOfUserResponse[];
}

export class VariantUsersShapes extends UsersShapes {
  override readonly newNameRules = [IS_EMAIL];
  readonly update = updateShape(UpdateUserDto, (dto): EveryField<UserChanges> => ({
    username: dto.username,
    firstName: dto.firstName,
    lastName: dto.lastName,
    roles: dto.defaultRoles === undefined ? undefined : parseCsvList(dto.defaultRoles),
    language: dto.language,
    websiteOrderInformation: undefined,
    proof: stepUpProof(dto),
  }));
  readonly changePassword = changePasswordShape(VARIANT_A_PASSWORD_RULES);
  readonly single = singleOf('user', UserResponse, (user: UserDetails) => ({
    ...toUserHeadResponse(user),
    statusCategory: statusCategory(userStatus(user)),
    language: user.language,
    organisation: toOrganisationOfUserResponse(user.organisation),
    country: toCountryResponse(user.organisation.countryCode),
    teams: user.teams.map(toTeamOfUserResponse),
  }));
}
