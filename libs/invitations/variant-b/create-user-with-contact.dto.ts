import { PasswordField } from '@app/core/passwords/password-field.decorator';
import { VARIANT_B_PASSWORD_RULES } from '@app/core/passwords/password-rules';
import { parseCsvList } from '@app/core/text/csv-list';
import { TextField, WordField } from '@app/core/wire/field.decorators';
import { createShape } from '@app/core/wire/shapes';
import { UsernameField } from '@app/users/shapes/username.decorators';
import { LANGUAGES, type Language } from '@app/users/languages';
import type { UserToRegister } from './user-with-contact.types';
import { USER } from '@app/organisations/shapes/shared/user.properties';

/** Body of `POST …/userandcontact`. */
class CreateUserWithContactDto {
  @UsernameField({ example: 'jan@example.nl' })
  username!: string;

  @TextField({ max: 255, required: true, ...USER.firstName })
  firstName!: string;

  @TextField({ max: 255, required: true, ...USER.lastName })
  lastName!: string;

  @PasswordField({ rules: VARIANT_B_PASSWORD_RULES })
  password!: string;

  @TextField({ max: 1000, ...USER.rolesAsText })
  defaultRoles?: string;

  @WordField({ words: LANGUAGES, default: 'nl', ...USER.language })
  language?: Language;
}

export const createUserWithContactShape = createShape(CreateUserWithContactDto, (dto): UserToRegister => ({
  username: dto.username,
  firstName: dto.firstName,
  lastName: dto.lastName,
  password: dto.password,
  roles: parseCsvList(dto.defaultRoles ?? ''),
  language: dto.language ?? 'nl',
}));
