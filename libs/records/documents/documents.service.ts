import { Injectable, type StreamableFile } from '@nestjs/common';
import { NotificationRecorder } from '@app/people/notifications/notification-recorder';
import { type Bulkhead, HEAVY } from '@app/platform/concurrency/bulkhead';
import { Bulkheads } from '@app/platform/concurrency/bulkheads';
import type { FairLimiter } from '@app/platform/concurrency/fair-limiter';
import { DatabaseReads, rowIn } from '@app/platform/database/pg-reads/database-reads';
import { Transactions } from '@app/platform/database/transactions';
import { assertFound, found } from '@app/platform/errors/api-error';
import { type ListRequest, type Page, Paginator } from '@app/platform/lists/paginator';
import type { Caller } from '@app/security/access/caller';
import type { RequestContext } from '@app/security/context/request-context';
import {
  DOCUMENT_BY_ID,
  DOCUMENT_BY_LINK,
  type DocumentDetails,
  type DocumentOrder,
  documentPage,
  FILE_BY_DOCUMENT,
  FILE_BY_LINK,
  type FilePlace,
  type LinkedDocument,
  PIECE,
} from './document.columns';
import { Document } from './document.entity';
import { contentMismatch, type DocumentKind, nothingToSend } from './document.types';
import { beginsAs, download } from './document-files';
import { DocumentLinks } from './document-links';
import { storeFile, type UploadedFile } from './document-storage';
import { DOCUMENT_NOTIFICATIONS } from './documents.notifications';
import type { IncomingFile } from './incoming-file';

/** A link to a document, as in the path. */
export interface PresentedLink {
  readonly documentId: number;
  readonly contactId: number;
  /** SHA-256 of its hash. */
  readonly digest: Buffer;
}

/** Each file is held in memory. Billing sends its files as one user, so one user may use all permits. */
const UPLOADS: Bulkhead = {
  name: 'uploads',
  work: 'Files of documents that arrive',
  permits: 3,
  queue: HEAVY,
  quotas: { group: {}, member: {} },
};

/** The rules of documents. Billing uploads them, the organisation reads them, and mails link to them. */
@Injectable()
export class DocumentsService {
  private readonly receiving: FairLimiter;

  constructor(
    private readonly queries: DatabaseReads,
    private readonly paginator: Paginator,
    private readonly transactions: Transactions,
    private readonly notifications: NotificationRecorder,
    private readonly links: DocumentLinks,
    bulkheads: Bulkheads,
  ) {
    this.receiving = bulkheads.open(UPLOADS);
  }

  list(organisationId: number, request: ListRequest<DocumentOrder>): Promise<Page<DocumentDetails>> {
    return this.paginator.page(request, documentPage(organisationId, request));
  }

  async read(id: number): Promise<DocumentDetails> {
    return found(await this.queries.row<DocumentDetails>(DOCUMENT_BY_ID, [id]), 'Document');
  }

  async put(
    ctx: RequestContext,
    target: Omit<UploadedFile, 'kind' | 'file'>,
    incoming: IncomingFile,
  ): Promise<void> {
    const { kind } = incoming;
    await this.receiving.run(ctx.client, async () => {
      const file = await incoming.read();
      const [first] = file.pieces;
      if (first === undefined || !beginsAs(kind, first)) throw contentMismatch(incoming.type);
      await this.transactions.run(ctx, (manager) => storeFile(manager, { ...target, kind, file }));
    });
  }

  async delete(ctx: RequestContext, id: number): Promise<void> {
    await this.transactions.run(ctx, (manager) => assertFound(manager.delete(Document, { id }), 'Document'));
  }

  /** The job of each mail makes its own link. */
  async send(caller: Caller, organisationId: number, id: number): Promise<DocumentDetails> {
    return this.transactions.run(caller, async (manager) => {
      const document = found(
        await manager.findOne(Document, { where: { id }, lock: { mode: 'pessimistic_write' } }),
        'Document',
      );
      const linkTemplates = this.links.templatesFor(document);
      if (linkTemplates.length === 0) throw nothingToSend();
      await manager.update(Document, { id }, { sentAt: () => 'now()' });
      await this.notifications.record(manager, DOCUMENT_NOTIFICATIONS.sent, {
        organisationId,
        entity: { id, name: document.name },
        userId: caller.userId,
        linkTemplates,
      });
      return found(await rowIn<DocumentDetails>(manager, DOCUMENT_BY_ID, [id]), 'Document');
    });
  }

  async file(id: number, kind: DocumentKind): Promise<StreamableFile> {
    const place = found(await this.queries.row<FilePlace>(FILE_BY_DOCUMENT[kind], [id]), 'File');
    return this.download(place, kind);
  }

  async linkedFile(
    { documentId, contactId, digest }: PresentedLink,
    kind: DocumentKind,
  ): Promise<StreamableFile> {
    const values = [documentId, contactId, digest];
    const place = found(await this.queries.row<FilePlace>(FILE_BY_LINK[kind], values), 'Document');
    return this.download(place, kind);
  }

  /** Finds the document of a link, for its page. */
  async linkedDocument({ documentId, contactId, digest }: PresentedLink): Promise<LinkedDocument> {
    return found(
      await this.queries.row<LinkedDocument>(DOCUMENT_BY_LINK, [documentId, contactId, digest]),
      'Document',
    );
  }

  private download({ name, fileId, size, first }: FilePlace, kind: DocumentKind): StreamableFile {
    const piece = async (position: number): Promise<Buffer | undefined> =>
      (await this.queries.row<{ bytes: Buffer }>(PIECE, [fileId, position]))?.bytes;
    return download({ name, size, first, piece }, kind);
  }
}
