import {
  BadRequest,
  type ConstraintErrors,
  fieldError,
  limitReached,
  ValidationFailed,
} from '@app/platform/errors/api-error';

/** The kinds of files of a document, in the order of the links in a mail. */
export const DOCUMENT_KINDS = ['pdf', 'xml'] as const;

export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** A file of a document. */
export interface DocumentFile {
  /** In bytes. */
  readonly size: number;
  /** As hex. */
  readonly sha256: string;
}

/** The class of documents in notifications. */
export const DOCUMENT_CLASS = 'Document';

/** Maximum bytes of a file (a constraint of the table checks it). */
export const MAX_FILE_BYTES = 10_485_760;

/** Maximum length of a document's name. */
export const MAX_DOCUMENT_NAME_LENGTH = 200;

/** Maximum documents of an organisation. A trigger of the table counts them. */
const DOCUMENTS_OF_ORGANISATION = 5000;

const TOO_MANY = `An organisation has at most ${DOCUMENTS_OF_ORGANISATION} documents.`;

export const DOCUMENT_CONSTRAINT_ERRORS: ConstraintErrors = {
  documents_limit_of_organisation: limitReached(TOO_MANY),
};

/** The error of too many documents, for the interface description. */
export const tooManyDocuments = (): BadRequest => new BadRequest(TOO_MANY, 'LIMIT_REACHED');

/** 400: the content of the file does not match its type. */
export const contentMismatch = (type: string): BadRequest =>
  new BadRequest(`The body does not begin as ${type} does`, 'CONTENT_MISMATCH');

/** 400: this variant has no download path for the files of the document. */
export const nothingToSend = (): BadRequest =>
  new BadRequest('The document has no PDF, and links here lead only to PDFs', 'NOTHING_TO_SEND');

export const documentIdTaken = (): ValidationFailed =>
  ValidationFailed.on(
    'documentId',
    fieldError('ALREADY_TAKEN', 'Another organisation has a document with this identifier.'),
  );
