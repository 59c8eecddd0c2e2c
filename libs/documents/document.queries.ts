import { prepared, type PreparedRead } from '@app/core/database/prepared-queries';
import { ListQuery, type Query } from '@app/core/paging/list-query';
import type { ListRequest } from '@app/core/paging/page';
import { DOCUMENT_COLUMNS } from './document.columns';
import type { DocumentDetails, DocumentKind, DocumentOrder } from './document.types';

/** A document by its id ($1). */
export const DOCUMENT_BY_ID = DOCUMENT_COLUMNS.select('d.id = $1');

/** A page of the documents of an organisation, with their total. */
export const documentPage = (
  organisationId: number,
  request: ListRequest<DocumentOrder>,
): Query<DocumentDetails> =>
  new ListQuery(DOCUMENT_COLUMNS, request)
    .with('d.organisation_id', organisationId)
    .filteredBy('lower(d.name)')
    .withTotal();

/** Where a file lies, and how it begins. */
export interface FilePlace {
  readonly name: string;
  readonly fileId: string;
  readonly size: number;
  readonly first: Buffer;
}

type FileStatements = Readonly<Record<DocumentKind, PreparedRead<FilePlace>>>;

const forEachKind = (statementOf: (kind: DocumentKind) => string): FileStatements => ({
  pdf: prepared(statementOf('pdf')),
  xml: prepared(statementOf('xml')),
});

const placeOf = (kind: DocumentKind): string =>
  `d.name, d.${kind}_file AS "fileId", d.${kind}_size AS size, first.bytes AS first
    FROM documents d JOIN document_pieces first ON first.file_id = d.${kind}_file AND first.position = 0`;

/** The file of the document $1. */
export const FILE_BY_DOCUMENT = forEachKind((kind) => `SELECT ${placeOf(kind)} WHERE d.id = $1`);

/**
 * The file that a link opens: of the document $1, for the contact $2, with the digest $3. A contact that has become
 * another address since is another reader.
 */
export const FILE_BY_LINK = forEachKind(
  (kind) => `SELECT ${placeOf(kind)}
    JOIN document_links l ON l.document_id = d.id
    JOIN contacts c ON c.id = l.contact_id
    WHERE d.id = $1 AND l.contact_id = $2 AND l.digest = $3 AND l.expires_at > now()
      AND (c.address_changed_at IS NULL OR c.address_changed_at < l.created_at)`,
);

/** The piece $2 of the file $1. */
export const PIECE = prepared<{ bytes: Buffer }>(
  'SELECT bytes FROM document_pieces WHERE file_id = $1 AND position = $2',
);
