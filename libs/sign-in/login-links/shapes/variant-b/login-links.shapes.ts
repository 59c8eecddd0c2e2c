import { createShape, type EveryField } from '@app/platform/dto/shapes';
import type { LinkLoginInput } from '../../login-link.types';
import { LinkLoginDto, LoginLinksShapes } from '../login-links.shapes';

export class VariantLoginLinksShapes extends LoginLinksShapes {
  readonly login = createShape(LinkLoginDto, (dto): EveryField<LinkLoginInput> => ({
    token: dto.token,
    code: undefined,
    trustThisDevice: undefined,
    deviceToken: undefined,
  }));
}
