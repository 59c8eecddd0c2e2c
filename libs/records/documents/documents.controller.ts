import { Controller, Delete, Get, Param, Post, Put, type StreamableFile, UseGuards } from '@nestjs/common';
import {
  NoContent,
  QueryParameter,
  Refuses,
  RespondsWith,
  RespondsWithFile,
} from '@app/platform/dto/wire.decorators';
import { ListQuery } from '@app/platform/lists/list-query.decorator';
import type { ListRequest, Page } from '@app/platform/lists/paginator';
import { Access, Ctx, PathId, PathRecords } from '@app/security/access/access.decorators';
import type { Caller } from '@app/security/access/caller';
import { identifierGuard } from '../entities/identifier-guard';
import type { DocumentDetails, DocumentOrder } from './document.columns';
import {
  contentMismatch,
  documentIdTaken,
  MAX_DOCUMENT_NAME_LENGTH,
  nothingToSend,
  tooManyDocuments,
} from './document.types';
import { TYPE_OF_KIND, validateDocumentName } from './document-files';
import { DocumentsService } from './documents.service';
import { FileBody, type IncomingFile } from './incoming-file';
import { DocumentsShapes } from './shapes/documents.shapes';

const RECORD = PathRecords({
  documentId: { name: 'Document', table: 'documents', within: 'organisationId' },
});

@Controller('organisations/:organisationId/documents')
export class DocumentsController {
  constructor(private readonly documents: DocumentsService) {}

  @Get()
  @Access('documents.list', 'List the documents of an organisation')
  @RespondsWith(200, DocumentsShapes, 'list')
  list(
    @PathId('organisationId') organisationId: number,
    @ListQuery(DocumentsShapes, 'list') request: ListRequest<DocumentOrder>,
  ): Promise<Page<DocumentDetails>> {
    return this.documents.list(organisationId, request);
  }

  @Get(':documentId')
  @RECORD
  @Access('documents.read', 'Read what is known of a document')
  @RespondsWith(200, DocumentsShapes, 'single')
  read(@PathId('documentId') id: number): Promise<DocumentDetails> {
    return this.documents.read(id);
  }

  @Get(':documentId/pdf')
  @RECORD
  @Access('documents.read', 'Download the PDF of a document')
  @RespondsWithFile(TYPE_OF_KIND.pdf)
  pdf(@PathId('documentId') id: number): Promise<StreamableFile> {
    return this.documents.file(id, 'pdf');
  }

  @Get(':documentId/xml')
  @RECORD
  @Access('documents.read', 'Download the XML of a document')
  @RespondsWithFile(TYPE_OF_KIND.xml)
  xml(@PathId('documentId') id: number): Promise<StreamableFile> {
    return this.documents.file(id, 'xml');
  }

  /** The document may be new, so its id addresses no record. */
  @Put(':documentId')
  @UseGuards(identifierGuard('documentId', 'Document'))
  @Access(
    'documents.put',
    'Hand a document over, or one of its files anew',
    'The body is the file itself, of the type that `Content-Type` says and that its first bytes ' +
      'show: PDF and XML of a document are handed over one by one. A file replaces the one of its ' +
      'type; links that were mailed lead to the new one.',
  )
  @Refuses(contentMismatch(TYPE_OF_KIND.pdf), documentIdTaken(), tooManyDocuments())
  @NoContent()
  async put(
    @Ctx() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @Param('documentId') documentId: string,
    @QueryParameter({
      name: 'name',
      description:
        'What people call the document, and its files are saved as, without the extension. Needed where the document is new; without it the name stays',
      maxLength: MAX_DOCUMENT_NAME_LENGTH,
      example: 'Invoice 2026-001',
      check: validateDocumentName,
    })
    name: string | undefined,
    @FileBody() file: IncomingFile,
  ): Promise<void> {
    await this.documents.put(caller, { organisationId, documentId: Number(documentId), name }, file);
  }

  @Delete(':documentId')
  @RECORD
  @Access(
    'documents.delete',
    'Delete a document with its files and links',
    'The identifier may be used again.',
  )
  @NoContent()
  delete(@Ctx() caller: Caller, @PathId('documentId') id: number): Promise<void> {
    return this.documents.delete(caller, id);
  }

  @Post(':documentId/send')
  @RECORD
  @Access(
    'documents.send',
    'Mail every contact with the group Finance a link to a document of its own',
    'Writes a notification of group Finance. A link opens both files, for a year, until its ' +
      'contact or the document goes, or the contact becomes another address.',
  )
  @Refuses(nothingToSend())
  @RespondsWith(200, DocumentsShapes, 'single')
  send(
    @Ctx() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @PathId('documentId') id: number,
  ): Promise<DocumentDetails> {
    return this.documents.send(caller, organisationId, id);
  }
}
