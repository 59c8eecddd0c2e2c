import type { Language } from '@app/people/users/user.types';
import { prepared } from '@app/platform/database/pg-reads/database-reads';
import type { PreparedStatement } from '@app/platform/database/pg-reads/statement';
import { columnsOf, jsonObject, type OrderOf, type RowOf, shown } from '@app/platform/lists/columns';
import { ListQuery } from '@app/platform/lists/list-query';
import type { ListRequest } from '@app/platform/lists/paginator';
import { isSuspended } from '@app/security/access/access.queries';
import { PRIVILEGES } from '@app/security/access/privileges';
import { Document } from './document.entity';
import type { DocumentFile, DocumentKind } from './document.types';

const { admin, custadminOwn, finance } = PRIVILEGES['documents.read'];
const VERDICTS = { ROLE_ADMIN: admin, ROLE_CUSTADMIN: custadminOwn, ROLE_FINANCE: finance } as const;

/** The roles of users who may read the documents of their organisation. */
export const READERS = (Object.keys(VERDICTS) as (keyof typeof VERDICTS)[]).filter(
  (role) => VERDICTS[role] === 'allow',
);

const fileOf = (kind: DocumentKind): string => {
  const file = jsonObject<DocumentFile>({ size: `d.${kind}_size`, sha256: `d.${kind}_sha256` });
  return `CASE WHEN d.${kind}_file IS NOT NULL THEN ${file} END`;
};

export const DOCUMENT_COLUMNS = columnsOf(Document, 'd', {
  ordered: ['id', 'name'],
  seconds: ['createdAt', 'changedAt', 'sentAt'],
  sql: { pdf: shown<DocumentFile | null>(fileOf('pdf')), xml: shown<DocumentFile | null>(fileOf('xml')) },
});

/** A document as responses show it. */
export type DocumentDetails = RowOf<typeof DOCUMENT_COLUMNS>;

export type DocumentOrder = OrderOf<typeof DOCUMENT_COLUMNS>;

/** A document by its id ($1). */
export const DOCUMENT_BY_ID = DOCUMENT_COLUMNS.select('d.id = $1');

/** A page of the documents of an organisation, with the total. */
export const documentPage = (organisationId: number, request: ListRequest<DocumentOrder>) =>
  new ListQuery(DOCUMENT_COLUMNS, request)
    .with('d.organisation_id', organisationId)
    .filteredBy('d.name')
    .withTotal();

/** The location of a file, with its first piece. */
export interface FilePlace {
  readonly name: string;
  readonly fileId: string;
  readonly size: number;
  readonly first: Buffer;
}

type FileStatements = Readonly<Record<DocumentKind, PreparedStatement<FilePlace>>>;

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
 * SQL condition: the reader of a link may read documents now. The reader is a contact of the organisation, or
 * of an enabled user who may also read them through the API.
 */
export const isReader = (contact: string): string => `(${contact}.user_id IS NULL OR EXISTS (
  SELECT FROM users reader WHERE reader.id = ${contact}.user_id AND reader.enabled AND reader.deleted_at IS NULL
    AND reader.roles && ARRAY['${READERS.join("', '")}']))`;

/**
 * The document $1 of a link for the contact $2 with the digest $3. A contact with a new address counts as
 * another reader. Links do not work during a suspension.
 */
const OPENED_BY_LINK = `
    JOIN document_links l ON l.document_id = d.id
    JOIN contacts c ON c.id = l.contact_id
    WHERE d.id = $1 AND l.contact_id = $2 AND l.digest = $3 AND l.expires_at > now()
      AND (c.address_changed_at IS NULL OR c.address_changed_at < l.created_at)
      AND ${isReader('c')} AND NOT ${isSuspended('d.organisation_id')}`;

/** The file of a link. */
export const FILE_BY_LINK = forEachKind((kind) => `SELECT ${placeOf(kind)} ${OPENED_BY_LINK}`);

/**
 * The document of a link: its name and organisation, the sizes of its files, and the language of its reader.
 */
export interface LinkedDocument {
  readonly organisationId: number;
  readonly name: string;
  /** The name of its organisation. */
  readonly organisation: string;
  readonly language: Language;
  /** Null if the document has no such file. */
  readonly sizes: Readonly<Record<DocumentKind, number | null>>;
}

export const DOCUMENT_BY_LINK = prepared<LinkedDocument>(`
  SELECT d.organisation_id AS "organisationId", d.name, (SELECT o.name FROM organisations o WHERE o.id = d.organisation_id) AS organisation,
    jsonb_build_object('pdf', d.pdf_size, 'xml', d.xml_size) AS sizes,
    coalesce((SELECT reader.language FROM users reader WHERE reader.id = c.user_id), 'nl') AS language
  FROM documents d ${OPENED_BY_LINK}`);

/** The piece $2 of the file $1. */
export const PIECE = prepared<{ bytes: Buffer }>(
  'SELECT bytes FROM document_pieces WHERE file_id = $1 AND position = $2',
);
