import { TextField } from '@app/core/wire/field.decorators';
import { createShape, type EveryField } from '@app/core/wire/shapes';
import type { LoginInput } from '../../auth.types';
import { LOGIN } from '../shared/login.properties';

/** Body of `POST /login`. */
class LoginDto {
  @TextField({ trim: true, max: 254, required: true, example: 'jan', ...LOGIN.username })
  username!: string;

  @TextField({ max: 4096, required: true, format: 'password', ...LOGIN.password })
  password!: string;
}

export const loginShape = createShape(LoginDto, (dto): EveryField<LoginInput> => ({
  username: dto.username,
  password: dto.password,
  code: undefined,
  trustThisDevice: undefined,
  deviceToken: undefined,
}));
