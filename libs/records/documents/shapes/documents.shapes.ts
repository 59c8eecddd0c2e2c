import { singleOf } from '@app/platform/dto/shapes';
import { listOf } from '@app/platform/lists/list-request';
import { DOCUMENT_COLUMNS } from '../document.columns';
import { DocumentResponse, toDocumentResponse } from './document.response';

/** The response shapes of documents in both variants. */
export class DocumentsShapes {
  /** Response with one document. */
  readonly single = singleOf('document', DocumentResponse, toDocumentResponse);
  readonly list = listOf('documents', DOCUMENT_COLUMNS, DocumentResponse, toDocumentResponse, {
    orders: { dtCreated: 'createdAt', dtChanged: 'changedAt', dtSent: 'sentAt' },
    total: { type: 'integer', description: 'How many documents the whole list has', example: 1 },
  });
}
