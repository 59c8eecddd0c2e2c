import { TextField } from '@app/core/wire/field.decorators';
import { createShape, type EveryField } from '@app/core/wire/shapes';
import type { SoftLoginInput } from './soft-login.types';

/** Body of `POST /softlogin`. */
class SoftLoginDto {
  @TextField({ trim: true, max: 254, required: true, example: 'jan@example.nl' })
  username!: string;

  @TextField({ max: 32, required: true, description: 'Code of the recovery mail', example: '01234567' })
  confirmationCode!: string;

  @TextField({
    max: 32,
    emptyIsAbsent: true,
    description: 'Code of the authenticator, or a recovery code',
    example: '123456',
  })
  '6digitCode'?: string;

  @TextField({
    max: 256,
    emptyIsAbsent: true,
    description: 'hash2fa of an earlier login: no code is asked for',
  })
  '2faToken'?: string;
}

export const softLoginShape = createShape(SoftLoginDto, (dto): EveryField<SoftLoginInput> => ({
  username: dto.username,
  confirmationCode: dto.confirmationCode,
  code: dto['6digitCode'],
  deviceToken: dto['2faToken'],
}));
