import { All, Controller, Module } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { PublicRoute } from '@app/core/access/declarations';
import { AreaNotHere } from '../not-here';

@ApiTags('other areas')
@Controller()
export class ForeignAreasControllerB {
  @All('downloadpdf/:id/:contactId/:hash')
  @PublicRoute('the hash in the path stands for the credential')
  downloadPdf(): never {
    throw new AreaNotHere();
  }

  /** The method is not described: any is answered. */
  @All('domains/check')
  @PublicRoute('whether a domain is free is public')
  checkDomains(): never {
    throw new AreaNotHere();
  }
}

/** Paths of other areas of the panel in Variant B. */
@Module({ controllers: [ForeignAreasControllerB] })
export class ForeignAreasModuleB {}
