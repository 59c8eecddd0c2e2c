import { BooleanField, TextField } from '@app/platform/dto/field.decorators';
import { createShape, type EveryField } from '@app/platform/dto/shapes';
import { TOTP_DIGITS } from '@app/security/passwords/step-up-fields';
import { LOGIN } from '@app/sign-in/auth/shapes/shared/login-parts.response';
import type { LinkLoginInput } from '../../login-link.types';
import { LinkLoginDto as SharedLinkLoginDto, LoginLinksShapes } from '../login-links.shapes';

/** Body of `POST /login/link`. */
class LinkLoginDto extends SharedLinkLoginDto {
  @TextField({ max: 32, digits: TOTP_DIGITS, emptyIsAbsent: true, ...LOGIN.code }) '6digitCode'?: string;
  @BooleanField({ default: false, ...LOGIN.trustThisDevice }) trustThisDevice?: boolean;
  @TextField({ max: 256, emptyIsAbsent: true, ...LOGIN.deviceToken }) '2faToken'?: string;
}

export class VariantLoginLinksShapes extends LoginLinksShapes {
  readonly login = createShape(LinkLoginDto, (dto): EveryField<LinkLoginInput> => ({
    token: dto.token,
    code: dto['6digitCode'],
    trustThisDevice: dto.trustThisDevice ?? false,
    deviceToken: dto['2faToken'],
  }));
}
