import { Controller, Delete, Get, Param, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access, CurrentCaller, PathId, PathRecords } from '@app/core/access/access.decorators';
import type { Caller } from '@app/core/access/caller';
import { pathIdentifier } from '@app/core/access/request-address';
import { NotFound } from '@app/core/errors/api-error';
import { Refuses } from '@app/core/openapi/refuses.decorator';
import type { ListRequest, Page } from '@app/core/paging/page';
import { FileBody, type IncomingFile } from '@app/core/wire/file-body';
import { RespondsWithFile, type FileToSend } from '@app/core/wire/file-response';
import { QueryParameter } from '@app/core/wire/query-parameter.decorator';
import { ListQuery, NoContent, RespondsWith } from '@app/core/wire/wire.decorators';
import { validateName } from './document-name';
import type { DocumentDetails, DocumentOrder } from './document.types';
import { ContentMismatch, documentIdTaken, NothingToSend, tooManyDocuments } from './documents.errors';
import { MAX_FILE_BYTES, MAX_NAME_LENGTH } from './documents.limits';
import { DocumentsService } from './documents.service';
import { TYPE_OF_KIND } from './file-kinds';
import { DocumentsShapes } from './shapes/documents.shapes';

const RECORD = PathRecords({
  documentId: { name: 'Document', table: 'documents', owner: 'organisation_id', within: 'organisation' },
});

@ApiTags('documents')
@Controller('organisations/:organisationId/documents')
export class DocumentsController {
  constructor(private readonly documents: DocumentsService) {}

  @Get()
  @Access('documents.list')
  @RespondsWith(200, DocumentsShapes, 'list')
  list(
    @PathId('organisationId') organisationId: number,
    @ListQuery(DocumentsShapes, 'list') request: ListRequest<DocumentOrder>,
  ): Promise<Page<DocumentDetails>> {
    return this.documents.list(organisationId, request);
  }

  @Get(':documentId')
  @RECORD
  @Access('documents.read')
  @RespondsWith(200, DocumentsShapes, 'single')
  read(@PathId('documentId') id: number): Promise<DocumentDetails> {
    return this.documents.read(id);
  }

  @Get(':documentId/pdf')
  @RECORD
  @Access('documents.read')
  @RespondsWithFile(TYPE_OF_KIND.pdf)
  pdf(@PathId('documentId') id: number): Promise<FileToSend> {
    return this.documents.file(id, 'pdf');
  }

  @Get(':documentId/xml')
  @RECORD
  @Access('documents.read')
  @RespondsWithFile(TYPE_OF_KIND.xml)
  xml(@PathId('documentId') id: number): Promise<FileToSend> {
    return this.documents.file(id, 'xml');
  }

  /** It need not be there: the id is no record of the path. */
  @Put(':documentId')
  @Access('documents.put')
  @Refuses(new ContentMismatch(TYPE_OF_KIND.pdf), documentIdTaken(), tooManyDocuments())
  @NoContent()
  async put(
    @PathId('organisationId') organisationId: number,
    @Param('documentId') id: string,
    @QueryParameter({
      name: 'name',
      description:
        'What people call the document, and its files are saved as, without the extension. Needed where the document is new; without it the name stays',
      maxLength: MAX_NAME_LENGTH,
      example: 'Invoice 2026-001',
      check: validateName,
    })
    name: string | undefined,
    @FileBody({ types: Object.values(TYPE_OF_KIND), maxBytes: MAX_FILE_BYTES }) file: IncomingFile,
  ): Promise<void> {
    const documentId = pathIdentifier(id);
    if (documentId === null) throw new NotFound('Document');
    await this.documents.put({ organisationId, documentId, name }, file);
  }

  @Delete(':documentId')
  @RECORD
  @Access('documents.delete')
  @NoContent()
  delete(@PathId('documentId') id: number): Promise<void> {
    return this.documents.delete(id);
  }

  @Post(':documentId/send')
  @RECORD
  @Access('documents.send')
  @Refuses(new NothingToSend())
  @RespondsWith(200, DocumentsShapes, 'single')
  send(
    @CurrentCaller() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @PathId('documentId') id: number,
  ): Promise<DocumentDetails> {
    return this.documents.send(caller, organisationId, id);
  }
}
