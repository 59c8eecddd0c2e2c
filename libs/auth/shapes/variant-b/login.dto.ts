import { TextField } from '@app/core/wire/field.decorators';
import { createShape, type EveryField } from '@app/core/wire/shapes';
import type { LoginInput } from '../../auth.types';

/** Body of `POST /login`. */
class LoginDto {
  @TextField({
    trim: true,
    max: 254,
    required: true,
    example: 'jan',
    description: 'Login name or e-mail address',
  })
  username!: string;

  @TextField({ max: 4096, required: true, format: 'password' })
  password!: string;
}

export const loginShape = createShape(LoginDto, (dto): EveryField<LoginInput> => ({
  username: dto.username,
  password: dto.password,
  code: undefined,
  trustThisDevice: undefined,
  deviceToken: undefined,
}));
