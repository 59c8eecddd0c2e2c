import { PasswordField } from '@app/core/passwords/password-field';
import { VARIANT_B_PASSWORD_RULES } from '@app/core/passwords/password-rules';
import { parseCsvList } from '@app/core/text/csv-list';
import { EMAIL_MAX_LENGTH, isPlainEmailAddress } from '@app/core/text/email-address';
import { isLoginName } from '@app/core/text/login-name';
import { TextField, WordField } from '@app/core/wire/fields';
import { changeShape, creationShape } from '@app/core/wire/shapes';
import { LANGUAGES, type Language } from '../../user.entity';
import type { PasswordChange, UserChanges } from '../../user.values';

/** What is wrong with a user name of Variant B: a login name or an e-mail address. */
export const faultOfUsernameB = (text: string): string | undefined =>
  isLoginName(text) || isPlainEmailAddress(text)
    ? undefined
    : 'This value should be a login name or an e-mail address.';

/** Body of `PATCH …/users/{userId}` in Variant B. */
export class UserChangeB {
  @TextField({ max: EMAIL_MAX_LENGTH, required: true, example: 'jan', check: faultOfUsernameB })
  username!: string;

  @TextField({ max: 255, required: true, example: 'Jan' })
  firstName!: string;

  @TextField({ max: 255, required: true, example: 'de Vries' })
  lastName!: string;

  @TextField({ max: 1000, description: 'Comma-separated role names', example: 'ROLE_CUSTADMIN' })
  defaultRoles?: string;

  @WordField({ words: LANGUAGES, default: 'nl' })
  language?: Language;

  @TextField({ max: 4000, nullable: true, description: 'Kept, not answered' })
  websiteOrderInfo?: string | null;
}

/** Body of `POST …/changepassword` in Variant B. */
export class PasswordChangeB {
  @TextField({ max: 4096, required: true, format: 'password' })
  oldPassword!: string;

  @PasswordField({ rules: VARIANT_B_PASSWORD_RULES })
  password!: string;
}

export const userChangeB = changeShape(UserChangeB, (dto): UserChanges => ({
  username: dto.username,
  firstName: dto.firstName,
  lastName: dto.lastName,
  roles: dto.defaultRoles === undefined ? undefined : parseCsvList(dto.defaultRoles),
  language: dto.language,
  websiteOrderInformation: dto.websiteOrderInfo,
}));

export const passwordChangeB = creationShape(PasswordChangeB, (dto): PasswordChange => ({
  oldPassword: dto.oldPassword,
  newPassword: dto.password,
}));
