import type { OrderOf } from '@app/core/paging/column-table';
import type { DOCUMENT_COLUMNS } from './document.columns';

/** What a document can be handed over as, in the order in which links to it stand in a mail. */
export const DOCUMENT_KINDS = ['pdf', 'xml'] as const;

export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** What is known of one file of a document. */
export interface DocumentFile {
  /** In bytes. */
  readonly size: number;
  /** As hex. */
  readonly sha256: string;
}

/** A document as responses show it. */
export interface DocumentDetails {
  readonly id: number;
  readonly name: string;
  /** Unix seconds. */
  readonly createdAt: number;
  /** Unix seconds. */
  readonly changedAt: number;
  /** Unix seconds; null where it was never mailed. */
  readonly sentAt: number | null;
  readonly pdf: DocumentFile | null;
  readonly xml: DocumentFile | null;
}

/** What lists of documents can be ordered by. */
export type DocumentOrder = OrderOf<typeof DOCUMENT_COLUMNS>;

/** What notifications call a document. */
export const DOCUMENT_CLASS = 'Document';
