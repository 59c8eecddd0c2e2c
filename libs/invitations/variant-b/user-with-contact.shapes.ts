import { PasswordField } from '@app/core/passwords/password-field';
import { VARIANT_B_PASSWORD_RULES } from '@app/core/passwords/password-rules';
import { parseCsvList } from '@app/core/text/csv-list';
import { EMAIL_MAX_LENGTH } from '@app/core/text/email-address';
import { TextField, WordField } from '@app/core/wire/fields';
import { creationShape } from '@app/core/wire/shapes';
import { faultOfUsernameB } from '@app/users/shapes/variant-b/user-requests';
import { LANGUAGES, type Language } from '@app/users/user.entity';

/** Body of `POST …/userandcontact`. */
export interface UserToRegister {
  readonly username: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly password: string;
  /** Names of roles, not yet checked. */
  readonly roles: readonly string[];
  readonly language: Language;
}

/** Body of `POST …/userandcontact` on the wire. */
export class UserWithContactBody {
  @TextField({ max: EMAIL_MAX_LENGTH, required: true, example: 'jan@example.nl', check: faultOfUsernameB })
  username!: string;

  @TextField({ max: 255, required: true, example: 'Jan' })
  firstName!: string;

  @TextField({ max: 255, required: true, example: 'de Vries' })
  lastName!: string;

  @PasswordField({ rules: VARIANT_B_PASSWORD_RULES })
  password!: string;

  @TextField({ max: 1000, description: 'Comma-separated role names', example: 'ROLE_CUSTADMIN' })
  defaultRoles?: string;

  @WordField({ words: LANGUAGES, default: 'nl' })
  language?: Language;
}

/** The request shape of registering somebody without an invitation, which exists in Variant B only. */
export class UserWithContactShapes {
  readonly creation = creationShape(UserWithContactBody, (dto): UserToRegister => ({
    username: dto.username,
    firstName: dto.firstName,
    lastName: dto.lastName,
    password: dto.password,
    roles: parseCsvList(dto.defaultRoles ?? ''),
    language: dto.language ?? 'nl',
  }));
}
