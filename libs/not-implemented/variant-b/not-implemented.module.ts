import { All, Controller, Module } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { PublicRoute } from '@app/core/access/access.decorators';
import { Refuses } from '@app/core/openapi/refuses.decorator';
import { NotImplemented } from './not-implemented';

@ApiTags('other areas')
@Controller()
class NotImplementedController {
  /** The description names no method: any gets this response. */
  @All('domains/check')
  @Refuses(new NotImplemented())
  @PublicRoute('whether a domain is free is public')
  checkDomains(): never {
    throw new NotImplemented();
  }
}

/** Paths of other areas of the panel. */
@Module({ controllers: [NotImplementedController] })
export class NotImplementedModule {}
