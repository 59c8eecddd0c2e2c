import { TextField } from '@app/core/wire/fields';
import { creationShape } from '@app/core/wire/shapes';
import type { SoftLoginAttempt } from './soft-login.values';

/** Body of `POST /softlogin`. */
export class SoftLoginRequest {
  @TextField({ max: 254, required: true, example: 'jan@example.nl' })
  username!: string;

  @TextField({ max: 32, required: true, description: 'Code of the recovery mail', example: '01234567' })
  confirmationCode!: string;

  @TextField({ max: 32, emptyIsAbsent: true, description: 'Code of the authenticator', example: '123456' })
  '6digitCode'?: string;

  @TextField({
    max: 256,
    emptyIsAbsent: true,
    description: 'hash2fa of an earlier login: no code is asked for',
  })
  '2faToken'?: string;
}

/** The request shape of softlogin, which exists in Variant A only; its answer is that of a login. */
export class SoftLoginShapes {
  readonly attempt = creationShape(SoftLoginRequest, (dto): SoftLoginAttempt => ({
    username: dto.username,
    confirmationCode: dto.confirmationCode,
    code: dto['6digitCode'],
    deviceToken: dto['2faToken'],
  }));
}
