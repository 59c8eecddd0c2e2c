import { PasswordField } from '@app/core/passwords/password-field';
import { VARIANT_A_PASSWORD_RULES } from '@app/core/passwords/password-rules';
import { parseCsvList } from '@app/core/text/csv-list';
import { EMAIL_MAX_LENGTH, isPlainEmailAddress } from '@app/core/text/email-address';
import { TextField, WordField } from '@app/core/wire/fields';
import { changeShape, creationShape } from '@app/core/wire/shapes';
import { LANGUAGES, type Language } from '../../user.entity';
import type { PasswordChange, UserChanges } from '../../user.values';

/** Body of `PATCH …/users/{userId}` in Variant A. */
export class UserChangeA {
  @TextField({
    max: EMAIL_MAX_LENGTH,
    required: true,
    format: 'email',
    example: 'jan@example.nl',
    check: (text) => (isPlainEmailAddress(text) ? undefined : 'This value should be an e-mail address.'),
  })
  username!: string;

  @TextField({ max: 255, required: true, example: 'Jan' })
  firstName!: string;

  @TextField({ max: 255, required: true, example: 'de Vries' })
  lastName!: string;

  @TextField({ max: 1000, description: 'Comma-separated role names', example: 'ROLE_CUSTADMIN' })
  defaultRoles?: string;

  @WordField({ words: LANGUAGES, default: 'nl' })
  language?: Language;
}

/** Body of `POST …/changepassword` in Variant A. */
export class PasswordChangeA {
  @TextField({ max: 4096, required: true, format: 'password' })
  oldPassword!: string;

  @PasswordField({ rules: VARIANT_A_PASSWORD_RULES })
  password!: string;
}

export const userChangeA = changeShape(UserChangeA, (dto): UserChanges => ({
  username: dto.username,
  firstName: dto.firstName,
  lastName: dto.lastName,
  roles: dto.defaultRoles === undefined ? undefined : parseCsvList(dto.defaultRoles),
  language: dto.language,
}));

export const passwordChangeA = creationShape(PasswordChangeA, (dto): PasswordChange => ({
  oldPassword: dto.oldPassword,
  newPassword: dto.password,
}));
