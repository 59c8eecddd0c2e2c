import { Injectable } from '@nestjs/common';
import { Transactions } from '@app/core/database/transactions';
import { digestOf, newSecret } from '@app/core/secrets/digest';
import { Settings } from '@app/core/settings/settings';
import { NotificationLinks } from '@app/notifications/notification-links';
import type { Document } from './document.entity';
import { DOCUMENT_CLASS, DOCUMENT_KINDS, type DocumentKind } from './document.types';

/** Which files of a document the running variant has paths to. */
export abstract class LinkedKinds {
  abstract readonly kinds: readonly DocumentKind[];
}

/** None where document or contact has gone; a deletion that is under way is waited for. */
const INSERT = `
  INSERT INTO document_links (document_id, contact_id, digest, expires_at)
  SELECT d.id, c.id, $3::bytea, now() + interval '1 year' FROM documents d, contacts c
  WHERE d.id = $1 AND c.id = $2 AND c.organisation_id = d.organisation_id FOR KEY SHARE
  RETURNING id`;

/** The links to documents: each mail has its own. */
@Injectable()
export class DocumentLinks extends NotificationLinks {
  readonly position = 10;
  readonly entityClass = DOCUMENT_CLASS;

  constructor(
    private readonly transactions: Transactions,
    private readonly settings: Settings,
    private readonly linked: LinkedKinds,
  ) {
    super();
  }

  /** What mails link to: those paths of this process that lead to a file of the document. */
  templatesFor(document: Pick<Document, 'id' | 'pdfFile' | 'xmlFile'>): string[] {
    const isThere: Readonly<Record<DocumentKind, boolean>> = {
      pdf: document.pdfFile !== null,
      xml: document.xmlFile !== null,
    };
    return DOCUMENT_KINDS.filter((kind) => isThere[kind] && this.linked.kinds.includes(kind)).map(
      (kind) => `${this.settings.publicUrl}/v1/download${kind}/${document.id}/{contactId}/{hash}`,
    );
  }

  /** Each try of a mail makes a link of its own: one that looks failed may have arrived, and its link stays good. */
  async newHash(documentId: number, contactId: number): Promise<string | undefined> {
    const hash = newSecret();
    const made = await this.transactions.run((manager) =>
      manager.query<unknown[]>(INSERT, [documentId, contactId, digestOf(hash)]),
    );
    return made.length > 0 ? hash : undefined;
  }
}
