import { All, Controller, Module } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { PublicRoute } from '@app/core/access/declarations';
import { AreaNotHere } from '../not-here';

const BY_HASH_IN_PATH = 'the hash in the path stands for the credential';

@ApiTags('other areas')
@Controller()
export class ForeignAreasControllerA {
  @All('downloadpdf/:id/:contactId/:hash')
  @PublicRoute(BY_HASH_IN_PATH)
  downloadPdf(): never {
    throw new AreaNotHere();
  }

  @All('downloadxml/:id/:contactId/:hash')
  @PublicRoute(BY_HASH_IN_PATH)
  downloadXml(): never {
    throw new AreaNotHere();
  }
}

/** Paths of other areas of the panel in Variant A. */
@Module({ controllers: [ForeignAreasControllerA] })
export class ForeignAreasModuleA {}
