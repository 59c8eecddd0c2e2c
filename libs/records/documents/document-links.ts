import { Injectable } from '@nestjs/common';
import { Transactions } from '@app/platform/database/transactions';
import { digestOf, newSecret } from '@app/security/secrets/digest';
import { Settings } from '@app/platform/process/settings';
import {
  NotificationLinks,
  type NotificationSubject,
} from '@app/people/notifications/deliver-notification.handler';
import type { RequestContext } from '@app/platform/context/request-context';
import { isReader } from './document.columns';
import type { Document } from './document.entity';
import { DOCUMENT_CLASS, DOCUMENT_KINDS, type DocumentKind } from './document.types';

/** The kinds of files that the running variant has download paths for. */
export abstract class LinkedKinds {
  abstract readonly kinds: readonly DocumentKind[];
}

/** Returns no row if document or contact do not exist, or the contact's user may not read it. Waits for a running deletion. */
const INSERT = `
  INSERT INTO document_links (document_id, contact_id, digest, expires_at)
  SELECT d.id, c.id, $3::bytea, now() + interval '1 year' FROM documents d, contacts c
  WHERE d.id = $1 AND c.id = $2 AND c.organisation_id = d.organisation_id AND ${isReader('c')}
  FOR KEY SHARE
  RETURNING id`;

/** Makes the links to documents; each mail has its own. */
@Injectable()
export class DocumentLinks extends NotificationLinks {
  constructor(
    private readonly transactions: Transactions,
    private readonly settings: Settings,
    private readonly linked: LinkedKinds,
  ) {
    super();
  }

  /** The links of mails: the page of the document, or the download paths of this process to its files. */
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

  /** Each try of a mail makes its own link: a failed try may have arrived, and its link stays valid. */
  async newHash(
    ctx: RequestContext,
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
