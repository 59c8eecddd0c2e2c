import { TextField } from '@app/core/wire/field.decorators';
import { createShape } from '@app/core/wire/shapes';
import type { PasswordLogin } from '../auth.types';
import { LOGIN } from '../shapes/shared/login.properties';

/** Body of the set-up routes that need nothing but the password. */
class PasswordLoginDto {
  @TextField({ trim: true, max: 254, required: true, example: 'jan@example.nl', ...LOGIN.username })
  username!: string;

  @TextField({ max: 4096, required: true, format: 'password', ...LOGIN.password })
  password!: string;
}

export const passwordLoginShape = createShape(PasswordLoginDto, (dto): PasswordLogin => ({
  username: dto.username,
  password: dto.password,
}));
