import { Injectable } from '@nestjs/common';
import { ConcurrencyLimiter } from '@app/core/concurrency/concurrency-limiter';
import type { Caller } from '@app/core/access/caller';
import { PreparedQueries } from '@app/core/database/prepared-queries';
import { Transactions } from '@app/core/database/transactions';
import { NotFound } from '@app/core/errors/api-error';
import { Paginator } from '@app/core/paging/paginator';
import type { ListRequest, Page } from '@app/core/paging/page';
import type { IncomingFile } from '@app/core/wire/file-body';
import type { FileToSend } from '@app/core/wire/file-response';
import { NotificationRecorder } from '@app/notifications/notification-recorder';
import { DocumentLinks } from './document-links';
import { fileNameOf } from './document-name';
import {
  DOCUMENT_BY_ID,
  documentPage,
  FILE_BY_DOCUMENT,
  FILE_BY_LINK,
  PIECE,
  type FilePlace,
} from './document.queries';
import { storeFile, type HandedOver } from './document-storage';
import {
  DOCUMENT_CLASS,
  type DocumentDetails,
  type DocumentKind,
  type DocumentOrder,
} from './document.types';
import { Document } from './document.entity';
import { ContentMismatch, NothingToSend } from './documents.errors';
import { MAX_FILE_WAIT, MAX_RECEIVING, MAX_WAITING_FILES } from './documents.limits';
import { beginsAs, kindOfType, TYPE_OF_KIND } from './file-kinds';

/** What a link says, as it stands in the path. */
export interface PresentedLink {
  readonly documentId: number;
  readonly contactId: number;
  /** SHA-256 of its hash. */
  readonly digest: Buffer;
}

/** The rules of documents: billing hands them over, the organisation reads them, mails lead to them. */
@Injectable()
export class DocumentsService {
  private readonly receiving = new ConcurrencyLimiter({
    limit: MAX_RECEIVING,
    maxWaiting: MAX_WAITING_FILES,
    maxWaitMs: MAX_FILE_WAIT,
  });

  constructor(
    private readonly queries: PreparedQueries,
    private readonly paginator: Paginator,
    private readonly transactions: Transactions,
    private readonly notifications: NotificationRecorder,
    private readonly links: DocumentLinks,
  ) {}

  list(organisationId: number, request: ListRequest<DocumentOrder>): Promise<Page<DocumentDetails>> {
    return this.paginator.page(request, documentPage(organisationId, request));
  }

  async read(id: number): Promise<DocumentDetails> {
    const document = await this.queries.quickRow<DocumentDetails>(DOCUMENT_BY_ID, [id]);
    if (document === undefined) throw new NotFound('Document');
    return document;
  }

  async put(target: Omit<HandedOver, 'kind' | 'file'>, incoming: IncomingFile): Promise<void> {
    const kind = kindOfType(incoming.type);
    await this.receiving.run(async () => {
      const file = await incoming.read();
      const [first] = file.pieces;
      if (first === undefined || !beginsAs(kind, first)) throw new ContentMismatch(incoming.type);
      await this.transactions.run((manager) => storeFile(manager, { ...target, kind, file }));
    });
  }

  async delete(id: number): Promise<void> {
    const { affected } = await this.transactions.run((manager) => manager.delete(Document, { id }));
    if (affected === 0) throw new NotFound('Document');
  }

  /** The links are made one by one when their mails go. */
  async send(caller: Caller, organisationId: number, id: number): Promise<DocumentDetails> {
    await this.transactions.run(async (manager) => {
      const document = await manager.findOne(Document, {
        where: { id },
        lock: { mode: 'pessimistic_write' },
      });
      if (document === null) throw new NotFound('Document');
      const linkTemplates = this.links.templatesFor(document);
      if (linkTemplates.length === 0) throw new NothingToSend();
      await manager.update(Document, { id }, { sentAt: () => 'now()' });
      await this.notifications.record(manager, {
        organisationId,
        group: 'Finance',
        type: 'sent',
        entityClass: DOCUMENT_CLASS,
        entityId: id,
        entityName: document.name,
        userId: caller.userId,
        everyContact: true,
        linkTemplates,
      });
    });
    return this.read(id);
  }

  async file(id: number, kind: DocumentKind): Promise<FileToSend> {
    const place = await this.queries.row<FilePlace>(FILE_BY_DOCUMENT[kind], [id]);
    if (place === undefined) throw new NotFound('File');
    return this.toSend(place, kind);
  }

  async linkedFile(
    { documentId, contactId, digest }: PresentedLink,
    kind: DocumentKind,
  ): Promise<FileToSend> {
    const values = [documentId, contactId, digest];
    const place = await this.queries.row<FilePlace>(FILE_BY_LINK[kind], values);
    if (place === undefined) throw new NotFound('Document');
    return this.toSend(place, kind);
  }

  private toSend({ name, fileId, size, first }: FilePlace, kind: DocumentKind): FileToSend {
    return {
      name: fileNameOf(name, kind),
      type: TYPE_OF_KIND[kind],
      size,
      first,
      piece: async (position) =>
        (await this.queries.row<{ bytes: Buffer }>(PIECE, [fileId, position]))?.bytes,
    };
  }
}
