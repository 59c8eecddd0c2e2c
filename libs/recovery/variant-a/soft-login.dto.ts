import { TextField } from '@app/core/wire/field.decorators';
import { createShape, type EveryField } from '@app/core/wire/shapes';
import type { SoftLoginInput } from './soft-login.types';
import { LOGIN } from '@app/auth/shapes/shared/login.properties';

/** Body of `POST /softlogin`. */
class SoftLoginDto {
  @TextField({ trim: true, max: 254, required: true, example: 'jan@example.nl', ...LOGIN.username })
  username!: string;

  @TextField({
    max: 32,
    required: true,
    description: 'The eight digits of the recovery mail, valid once and for 15 minutes',
    example: '01234567',
  })
  confirmationCode!: string;

  @TextField({ max: 32, emptyIsAbsent: true, ...LOGIN.code })
  '6digitCode'?: string;

  @TextField({ max: 256, emptyIsAbsent: true, ...LOGIN.deviceToken })
  '2faToken'?: string;
}

export const softLoginShape = createShape(SoftLoginDto, (dto): EveryField<SoftLoginInput> => ({
  username: dto.username,
  confirmationCode: dto.confirmationCode,
  code: dto['6digitCode'],
  deviceToken: dto['2faToken'],
}));
