import { Injectable } from '@nestjs/common';
import { Settings } from '@app/config/settings';
import { NotificationLinks, type NotificationSubject } from '@app/people/notifications/notification-mails';
import type { WorkContext } from '@app/platform/context/work-context';
import { Transactions } from '@app/platform/database/transactions';
import { digestOf, newSecret } from '@app/security/secrets/digest';
import { isReader } from './document.columns';
import type { Document } from './document.entity';
import { DOCUMENT_CLASS, DOCUMENT_KINDS, type DocumentKind } from './document.types';

/** The kinds of files with download paths in the running variant. */
export abstract class LinkedKinds {
  abstract readonly kinds: readonly DocumentKind[];
}

/**
 * Returns no row if document or contact do not exist, or the contact's user may not read the document. Waits
 * for a deletion in progress.
 */
const INSERT = `
  INSERT INTO document_links (document_id, contact_id, digest, expires_at)
  SELECT d.id, c.id, $3::bytea, now() + interval '1 year' FROM documents d, contacts c
  WHERE d.id = $1 AND c.id = $2 AND c.organisation_id = d.organisation_id AND ${isReader('c')}
  FOR KEY SHARE
  RETURNING id`;

/** Makes the links to documents. Each mail has its own link. */
@Injectable()
export class DocumentLinks extends NotificationLinks {
  constructor(
    private readonly transactions: Transactions,
    private readonly settings: Settings,
    private readonly linked: LinkedKinds,
  ) {
    super();
  }

  /** The links for mails: to the page of the document, or to the download paths of its files. */
  templatesFor(document: Pick<Document, 'id' | 'pdfFile' | 'xmlFile'>): string[] {
    const { publicUrl, linksToDocumentPages } = this.settings;
    const isThere: Readonly<Record<DocumentKind, boolean>> = {
      pdf: document.pdfFile !== null,
      xml: document.xmlFile !== null,
    };
    const kinds = DOCUMENT_KINDS.filter((kind) => isThere[kind] && this.linked.kinds.includes(kind));
    const files = kinds.map((kind) => `${publicUrl}/v1/download${kind}/${document.id}/{contactId}/{hash}`);
    const page = `${publicUrl}/account/documents/${document.id}/{contactId}/{hash}`;
    return linksToDocumentPages && files.length > 0 ? [page] : files;
  }

  /** Each try of a mail makes its own link. A failed try may have arrived, so its link stays valid. */
  async newHash(
    ctx: WorkContext,
    { entityClass, entityId }: NotificationSubject,
    contactId: number,
  ): Promise<string | undefined> {
    if (entityClass !== DOCUMENT_CLASS) return undefined;
    const hash = newSecret();
    const made = await this.transactions.run(ctx, (manager) =>
      manager.query<unknown[]>(INSERT, [entityId, contactId, digestOf(hash)]),
    );
    return made.length > 0 ? hash : undefined;
  }
}
