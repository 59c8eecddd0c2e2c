import { USER } from '@app/people/organisations/shapes/shared/organisation-parts.response';
import { PersonNameField, RolesField, UsernameField } from '@app/people/users/shapes/user.decorators';
import { type Language, LANGUAGES } from '@app/people/users/user.types';
import { WordField } from '@app/platform/dto/field.decorators';
import { createShape } from '@app/platform/dto/shapes';
import { parseCsvList } from '@app/platform/dto/text-rules';
import { PasswordField, VARIANT_B_PASSWORD_RULES } from '@app/security/passwords/password-rules';
import type { UserToRegister } from './user-with-contact.service';

/** Body of `POST …/userandcontact`. */
class CreateUserWithContactDto {
  @UsernameField({ example: 'jan@example.nl', isNew: true }) username!: string;
  @PersonNameField(USER.firstName) firstName!: string;
  @PersonNameField(USER.lastName) lastName!: string;
  @PasswordField({ rules: VARIANT_B_PASSWORD_RULES }) password!: string;
  @RolesField() defaultRoles?: string;
  @WordField({ words: LANGUAGES, default: 'nl', ...USER.language }) language?: Language;
}

/** The request shape; the response is that of a user. */
export class UserWithContactShapes {
  /** Body of `POST …/userandcontact`. */
  readonly create = createShape(CreateUserWithContactDto, (dto): UserToRegister => ({
    username: dto.username,
    firstName: dto.firstName,
    lastName: dto.lastName,
    password: dto.password,
    roles: parseCsvList(dto.defaultRoles ?? ''),
    language: dto.language ?? 'nl',
  }));
}
