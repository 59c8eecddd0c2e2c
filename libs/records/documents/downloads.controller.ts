import { Controller, Get, Injectable, type StreamableFile } from '@nestjs/common';
import { Refuses, RespondsWithFile, Tag } from '@app/platform/dto/wire.decorators';
import { NotFound } from '@app/platform/errors/api-error';
import { PublicRoute } from '@app/security/access/access.decorators';
import type { DocumentKind } from './document.types';
import { TYPE_OF_KIND } from './document-files';
import { DocumentsService, type PresentedLink } from './documents.service';
import { PresentedDocumentLink } from './presented-link';

/** The route of the links to one kind of file. */
function downloadRoute(kind: DocumentKind) {
  @Injectable()
  class DownloadRoute {
    constructor(private readonly documents: DocumentsService) {}

    @Get(':id/:contactId/:hash')
    @PublicRoute(
      'the hash in the path stands for the credential',
      `Download a document as ${kind.toUpperCase()} with the link of a mail`,
      'Whoever has the link has the document: it is answered as an attachment.',
    )
    @Refuses(new NotFound('Document'))
    @RespondsWithFile(TYPE_OF_KIND[kind])
    download(@PresentedDocumentLink() link: PresentedLink): Promise<StreamableFile> {
      return this.documents.linkedFile(link, kind);
    }
  }
  return DownloadRoute;
}

@Tag('documents')
@Controller('downloadpdf')
export class PdfDownloadController extends downloadRoute('pdf') {}

@Tag('documents')
@Controller('downloadxml')
export class XmlDownloadController extends downloadRoute('xml') {}
