import { columnsOf, jsonObject } from '@app/core/paging/column-table';
import type { DocumentDetails, DocumentFile, DocumentKind } from './document.types';

const fileOf = (kind: DocumentKind): string => {
  const file = jsonObject<DocumentFile>({ size: `d.${kind}_size`, sha256: `d.${kind}_sha256` });
  return `CASE WHEN d.${kind}_file IS NOT NULL THEN ${file} END`;
};

const secondsOf = (column: string): string => `floor(extract(epoch FROM ${column}))::float8`;

/** A document. */
export const DOCUMENT_COLUMNS = columnsOf<DocumentDetails>('documents d')({
  id: { read: 'd.id', order: true },
  name: { read: 'd.name', order: true },
  createdAt: { read: secondsOf('d.created_at'), order: 'd.created_at' },
  changedAt: { read: secondsOf('d.changed_at'), order: 'd.changed_at' },
  sentAt: { read: secondsOf('d.sent_at'), order: 'd.sent_at' },
  pdf: { read: fileOf('pdf'), order: false },
  xml: { read: fileOf('xml'), order: false },
});
