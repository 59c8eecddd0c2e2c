import { Controller, Get, Header } from '@nestjs/common';
import { PublicRoute } from '@app/security/access/access.decorators';
import { STYLESHEET } from './stylesheet';

@Controller('account/pages.css')
export class StylesheetController {
  /** A day and not longer, because during an upgrade an older process may answer for a newer URL. */
  @Get()
  @PublicRoute('the same for everybody', 'The stylesheet of the pages')
  @Header('Content-Type', 'text/css; charset=utf-8')
  @Header('Cache-Control', 'public, max-age=86400')
  read(): string {
    return STYLESHEET;
  }
}
