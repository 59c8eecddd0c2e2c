import { Controller, Get } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { NotFound } from '@app/platform/errors/api-error';
import { PublicRoute } from '@app/security/access/access.decorators';

/** The page of a link that is cut off or mistyped: whoever opens it is a person. Its routes are tried last. */
@ApiExcludeController()
@Controller('account')
export class UnknownPage {
  /** Not a wildcard: routes have a fixed number of segments (`libs/platform/http/route-groups.ts`). */
  @Get([':page', ':page/:token', ':page/:id/:token', ':page/:id/:contactId/:hash'])
  @PublicRoute('there is nothing to protect', 'Say that a link is unknown')
  show(): never {
    throw new NotFound('Page');
  }
}
