import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { PublicRoute } from '@app/core/access/access.decorators';
import { NotFound } from '@app/core/errors/api-error';
import { Refuses } from '@app/core/openapi/refuses.decorator';
import { RespondsWithFile, type FileToSend } from '@app/core/wire/file-response';
import { DocumentsService, type PresentedLink } from './documents.service';
import { TYPE_OF_KIND } from './file-kinds';
import { BY_HASH_IN_PATH, TheLink } from './presented-link.decorator';

@ApiTags('documents')
@Controller('downloadpdf')
export class PdfDownloadController {
  constructor(private readonly documents: DocumentsService) {}

  @Get(':id/:contactId/:hash')
  @PublicRoute(BY_HASH_IN_PATH)
  @Refuses(new NotFound('Document'))
  @RespondsWithFile(TYPE_OF_KIND.pdf)
  download(@TheLink() link: PresentedLink): Promise<FileToSend> {
    return this.documents.linkedFile(link, 'pdf');
  }
}
