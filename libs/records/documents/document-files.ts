import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';
import { type CheckResult, fieldError } from '@app/platform/errors/api-error';
import type { DocumentKind } from './document.types';

/** The media type of each kind. */
export const TYPE_OF_KIND: Readonly<Record<DocumentKind, string>> = {
  pdf: 'application/pdf',
  xml: 'application/xml',
};

export const kindOfType = (type: string): DocumentKind => (type === TYPE_OF_KIND.pdf ? 'pdf' : 'xml');

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

const XML_DECLARATION = '<?xml';
const WIDE_DECLARATION = Buffer.from(`\ufeff${XML_DECLARATION}`, 'utf16le');

/**
 * The first bytes of each kind. XML may be UTF-8 with or without a byte order mark, or
 * UTF-16 in either byte order.
 */
const BEGINNINGS: Readonly<Record<DocumentKind, readonly Buffer[]>> = {
  pdf: [Buffer.from('%PDF-')],
  xml: [
    Buffer.from(XML_DECLARATION),
    Buffer.concat([BYTE_ORDER_MARK, Buffer.from(XML_DECLARATION)]),
    WIDE_DECLARATION,
    Buffer.from(WIDE_DECLARATION).swap16(),
  ],
};

export const beginsAs = (kind: DocumentKind, bytes: Buffer): boolean =>
  BEGINNINGS[kind].some((beginning) => bytes.subarray(0, beginning.length).equals(beginning));

/**
 * Characters that truncate or hide a part of a file name on some system, such as those that
 * change the writing direction.
 */
const NOT_IN_A_NAME = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}/\\:*?"<>|]/u;

/** Checks the name of a document, which is also a file name. */
export function validateDocumentName(name: string): CheckResult {
  if (!NOT_IN_A_NAME.test(name) && !name.startsWith('.') && name !== '') return undefined;
  return fieldError(
    'FORBIDDEN_CHARACTER',
    'A name should not begin with a dot, nor hold control characters or one of / \\ : * ? " < > |.',
  );
}

/** The name of a file of a document, with the extension of its kind. */
const fileNameOf = (name: string, kind: DocumentKind): string =>
  `${name.replace(/\.(pdf|xml)$/i, '')}.${kind}`;

/** A stored file that a client downloads. */
interface StoredFile {
  /** The name of the document. */
  readonly name: string;
  readonly size: number;
  readonly first: Buffer;
  /** A later piece; undefined if it was deleted. */
  readonly piece: (position: number) => Promise<Buffer | undefined>;
}

/** Streams a file as an attachment, so that no browser shows it as a page. */
export function download(file: StoredFile, kind: DocumentKind): StreamableFile {
  const pieces = Readable.from(piecesOf(file), { objectMode: false, highWaterMark: 1 });
  const disposition = attachment(fileNameOf(file.name, kind));
  return new StreamableFile(pieces, { type: TYPE_OF_KIND[kind], length: file.size, disposition });
}

async function* piecesOf({ first, size, piece }: StoredFile): AsyncGenerator<Buffer> {
  yield first;
  let sent = first.length;
  for (let position = 1; sent < size; position++) {
    const bytes = await piece(position);
    if (bytes === undefined) throw new Error('The file was deleted while it was sent');
    sent += bytes.length;
    yield bytes;
  }
}

/** RFC 6266: an ASCII name for every client, and the exact name for clients with RFC 8187. */
export function attachment(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\w.() -]/g, '_');
  const exact = encodeURIComponent(name).replaceAll(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${exact}`}`;
}
