import { All, Controller } from '@nestjs/common';
import { Refuses, Tag } from '@app/platform/dto/wire.decorators';
import { ApiError } from '@app/platform/errors/api-error';
import { PublicRoute } from '@app/security/access/access.decorators';

/**
 * 501: the path belongs to an area of the panel that is not part of this service yet
 * (rule variant-b 7).
 */
const notImplemented = (): ApiError =>
  new ApiError(501, 'AREA_NOT_HERE', 'This area of the panel is not available');

@Tag('other areas')
@Controller()
export class DomainsController {
  /** The contract does not name a method, so every method gets this response. */
  @All('domains/check')
  @Refuses(notImplemented())
  @PublicRoute('whether a domain is free is public', 'Check a domain: not here, 501 by any method')
  check(): never {
    throw notImplemented();
  }
}
