import { Controller, Get } from '@nestjs/common';
import { NotFound } from '@app/platform/errors/api-error';
import { DocumentsService, type PresentedLink } from './documents.service';
import { ApiTags } from '@nestjs/swagger';
import { PublicRoute } from '@app/security/access/access.decorators';
import { Refuses } from '@app/platform/dto/wire.decorators';
import { type FileToSend, RespondsWithFile } from '@app/platform/dto/files';
import { TYPE_OF_KIND } from './document-files';
import { PresentedDocumentLink } from './presented-link';

/** Why downloads need no credential in a header. */
const BY_HASH_IN_PATH = 'the hash in the path stands for the credential';

@ApiTags('documents')
@Controller('downloadpdf')
export class PdfDownloadController {
  constructor(private readonly documents: DocumentsService) {}

  @Get(':id/:contactId/:hash')
  @PublicRoute(
    BY_HASH_IN_PATH,
    'Download a document as PDF with the link of a mail',
    'Whoever has the link has the document: it is answered as an attachment.',
  )
  @Refuses(new NotFound('Document'))
  @RespondsWithFile(TYPE_OF_KIND.pdf)
  download(@PresentedDocumentLink() link: PresentedLink): Promise<FileToSend> {
    return this.documents.linkedFile(link, 'pdf');
  }
}

@ApiTags('documents')
@Controller('downloadxml')
export class XmlDownloadController {
  constructor(private readonly documents: DocumentsService) {}

  @Get(':id/:contactId/:hash')
  @PublicRoute(
    BY_HASH_IN_PATH,
    'Download a document as XML with the link of a mail',
    'Whoever has the link has the document: it is answered as an attachment.',
  )
  @Refuses(new NotFound('Document'))
  @RespondsWithFile(TYPE_OF_KIND.xml)
  download(@PresentedDocumentLink() link: PresentedLink): Promise<FileToSend> {
    return this.documents.linkedFile(link, 'xml');
  }
}
