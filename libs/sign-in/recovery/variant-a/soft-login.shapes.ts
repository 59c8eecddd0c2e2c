import { withAsciiDomain } from '@app/formats/email-domains';
import { TextField } from '@app/platform/dto/field.decorators';
import { createShape, type EveryField } from '@app/platform/dto/shapes';
import { TOTP_DIGITS } from '@app/security/passwords/step-up-fields';
import { LOGIN } from '@app/sign-in/auth/shapes/shared/login-parts.response';
import { CODE_DIGITS } from '../recovery.types';

/** Body of `POST /softlogin`. */
export interface SoftLoginInput {
  username: string;
  /** The eight digits of the recovery mail. */
  confirmationCode: string;
  /** The six digits of the authenticator, if the account has one. */
  code?: string;
  /** `hash2fa` of an earlier login. */
  deviceToken?: string;
}

/** Body of `POST /softlogin`. */
class SoftLoginDto {
  @TextField({
    trim: true,
    read: withAsciiDomain,
    max: 254,
    required: true,
    example: 'jan@example.nl',
    ...LOGIN.username,
  })
  username!: string;

  @TextField({
    max: 32,
    digits: CODE_DIGITS,
    required: true,
    description:
      'The eight digits of the recovery mail, valid once and for 15 minutes. Blanks and hyphens do not count, and a number has zeros put before it',
    example: '01234567',
  })
  confirmationCode!: string;

  @TextField({ max: 32, digits: TOTP_DIGITS, emptyIsAbsent: true, ...LOGIN.code }) '6digitCode'?: string;
  @TextField({ max: 256, emptyIsAbsent: true, ...LOGIN.deviceToken }) '2faToken'?: string;
}

const softLoginShape = createShape(SoftLoginDto, (dto): EveryField<SoftLoginInput> => ({
  username: dto.username,
  confirmationCode: dto.confirmationCode,
  code: dto['6digitCode'],
  deviceToken: dto['2faToken'],
}));

/** The request shape of softlogin; the response is that of a login. */
export class SoftLoginShapes {
  /** Body of `POST /softlogin`. */
  readonly login = softLoginShape;
}
