import { All, Controller, Module } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { PublicRoute } from '@app/core/access/access.decorators';
import { Refuses } from '@app/core/openapi/refuses.decorator';
import { BY_HASH_IN_PATH, NotImplemented } from '../not-implemented';

@ApiTags('other areas')
@Controller()
class NotImplementedController {
  @All('downloadpdf/:id/:contactId/:hash')
  @Refuses(new NotImplemented())
  @PublicRoute(BY_HASH_IN_PATH)
  downloadPdf(): never {
    throw new NotImplemented();
  }

  @All('downloadxml/:id/:contactId/:hash')
  @Refuses(new NotImplemented())
  @PublicRoute(BY_HASH_IN_PATH)
  downloadXml(): never {
    throw new NotImplemented();
  }
}

/** Paths of other areas of the panel. */
@Module({ controllers: [NotImplementedController] })
export class NotImplementedModule {}
