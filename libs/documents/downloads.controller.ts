import { Controller, createParamDecorator, type ExecutionContext, Get } from '@nestjs/common';
import type { Request } from 'express';
import { pathIdentifier } from '@app/security/access/credential-lookup';
import { NotFound } from '@app/platform/errors/api-error';
import { digestOf } from '@app/security/secrets/digest';
import { DocumentsService, type PresentedLink } from './documents.service';
import { ApiTags } from '@nestjs/swagger';
import { PublicRoute } from '@app/security/access/access.decorators';
import { Refuses } from '@app/platform/dto/wire.decorators';
import { type FileToSend, RespondsWithFile } from '@app/platform/dto/files';
import { TYPE_OF_KIND } from './document-files';

const HASH = /^[0-9a-f]{64}$/;

/** The reason for downloads without a credential in a header. */
const BY_HASH_IN_PATH = 'the hash in the path stands for the credential';

/** The link of a path with `:id`, `:contactId` and `:hash`; 404 for an impossible one. */
const TheLink = createParamDecorator((_: unknown, context: ExecutionContext): PresentedLink => {
  const { params } = context.switchToHttp().getRequest<Request<Record<string, string>>>();
  const [documentId, contactId] = [pathIdentifier(params['id']), pathIdentifier(params['contactId'])];
  const hash = params['hash'] ?? '';
  if (documentId === null || contactId === null || !HASH.test(hash)) throw new NotFound('Document');
  return { documentId, contactId, digest: digestOf(hash) };
});

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
  download(@TheLink() link: PresentedLink): Promise<FileToSend> {
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
  download(@TheLink() link: PresentedLink): Promise<FileToSend> {
    return this.documents.linkedFile(link, 'xml');
  }
}
