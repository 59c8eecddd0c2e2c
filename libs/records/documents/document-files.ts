import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';
import { type CheckResult, fieldError } from '@app/platform/errors/api-error';
import type { DocumentKind } from './document.types';

/** The media type of each kind. */
export const TYPE_OF_KIND: Readonly<Record<DocumentKind, string>> = {
  pdf: 'application/pdf',
  xml: 'application/xml',
};

/** The kind of each media type of a body. `text/xml` is another name of `application/xml` (RFC 7303). */
export const KIND_OF_TYPE: ReadonlyMap<string, DocumentKind> = new Map([
  [TYPE_OF_KIND.pdf, 'pdf'],
  [TYPE_OF_KIND.xml, 'xml'],
  ['text/xml', 'xml'],
]);

/** Bytes in which a file shows its kind. Programs that open a PDF look as far. */
const MAX_BEGINNING = 1024;

/**
 * What a file of each kind begins with, after a byte order mark and blanks. XML may begin without a
 * declaration; a page of HTML is no document.
 */
const BEGINNINGS: Readonly<Record<DocumentKind, RegExp>> = {
  pdf: /^\s*%PDF-/,
  xml: /^\s*<(?:\?|!--|(?:!DOCTYPE\s+)?(?!html\b)[\p{L}_:])/iu,
};

export const beginsAs = (kind: DocumentKind, bytes: Buffer): boolean =>
  BEGINNINGS[kind].test(decoded(bytes.subarray(0, MAX_BEGINNING)));

/** The text without its byte order mark, which tells UTF-16 from UTF-8. */
const decoded = (bytes: Buffer): string => new TextDecoder(encodingOf(bytes)).decode(bytes);

function encodingOf([first, second]: Buffer): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

/**
 * Characters that truncate or hide a part of a file name on some system, such as those that
 * change the writing direction.
 */
const NOT_IN_A_NAME = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}/\\:*?"<>|]/u;

/** Names of devices, which Windows takes for no file whatever their extension. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[1-9¹²³]|lpt[1-9¹²³]) *(?:\.|$)/i;

/** Checks the name of a document, which is also a file name. */
export function validateDocumentName(name: string): CheckResult {
  if (DEVICE.test(name))
    return fieldError('INVALID', 'This is the name of a device on Windows, not of a file.');
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
