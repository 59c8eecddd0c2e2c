import { BooleanField, TextField } from '@app/core/wire/field.decorators';
import { createShape, type EveryField } from '@app/core/wire/shapes';
import type { LoginInput } from '../../auth.types';

/** Body of `POST /login`. */
class LoginDto {
  @TextField({
    trim: true,
    max: 254,
    required: true,
    example: 'jan@example.nl',
  })
  username!: string;

  @TextField({ max: 4096, required: true, format: 'password' })
  password!: string;

  @TextField({
    max: 32,
    emptyIsAbsent: true,
    description: 'Code of the authenticator, or a recovery code',
    example: '123456',
  })
  '6digitCode'?: string;

  @BooleanField({ default: false, description: 'Asks for no code from this device for 30 days' })
  trustThisDevice?: boolean;

  @TextField({
    max: 256,
    emptyIsAbsent: true,
    description: 'hash2fa of an earlier login: no code is asked for',
  })
  '2faToken'?: string;
}

export const loginShape = createShape(LoginDto, (dto): EveryField<LoginInput> => ({
  username: dto.username,
  password: dto.password,
  code: dto['6digitCode'],
  trustThisDevice: dto.trustThisDevice ?? false,
  deviceToken: dto['2faToken'],
}));
