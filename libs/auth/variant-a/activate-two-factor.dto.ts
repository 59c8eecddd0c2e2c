import { BooleanField, TextField } from '@app/core/wire/field.decorators';
import { createShape, type EveryField } from '@app/core/wire/shapes';
import type { LoginInput } from '../auth.types';
import { LOGIN } from '../shapes/shared/login.properties';

/** Body of `POST /activate2fa`. */
class ActivateTwoFactorDto {
  @TextField({ trim: true, max: 254, required: true, example: 'jan@example.nl', ...LOGIN.username })
  username!: string;

  @TextField({ max: 4096, required: true, format: 'password', ...LOGIN.password })
  password!: string;

  @TextField({ max: 32, emptyIsAbsent: true, ...LOGIN.code })
  '6digitCode'?: string;

  @BooleanField({ default: false, ...LOGIN.trustThisDevice })
  trustThisDevice?: boolean;
}

export const activateTwoFactorShape = createShape(ActivateTwoFactorDto, (dto): EveryField<LoginInput> => ({
  username: dto.username,
  password: dto.password,
  code: dto['6digitCode'],
  trustThisDevice: dto.trustThisDevice ?? false,
  deviceToken: undefined,
}));
