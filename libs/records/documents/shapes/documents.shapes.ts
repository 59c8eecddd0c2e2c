import { orderBy } from '@app/platform/lists/columns';
import { responseShape } from '@app/platform/dto/shapes';
import { DOCUMENT_COLUMNS, type DocumentDetails, type DocumentOrder } from '../document.columns';
import {
  DocumentListResponse,
  DocumentResponse,
  SingleDocumentResponse,
  toDocumentResponse,
} from './document.response';
import { listShape } from '@app/platform/lists/list-request';

/** The response shapes of documents in both variants. */
export class DocumentsShapes {
  /** Response with one document. */
  readonly single = responseShape(SingleDocumentResponse, (document: DocumentDetails) => ({
    document: toDocumentResponse(document),
  }));
  /** Response of the list. */
  readonly list = listShape<DocumentDetails, DocumentListResponse, DocumentOrder>(
    DocumentListResponse,
    {
      orderBy: orderBy(DOCUMENT_COLUMNS, DocumentResponse, {
        dtCreated: 'createdAt',
        dtChanged: 'changedAt',
        dtSent: 'sentAt',
      }),
      search: {},
    },
    (page) => ({ total: page.total ?? 0, documents: page.items.map(toDocumentResponse) }),
  );
}
