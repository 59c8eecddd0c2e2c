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

/** What files of each kind begin with; XML in UTF-8, with its mark or without, or in UTF-16 of either byte order. */
const BEGINNINGS: Readonly<Record<DocumentKind, readonly Buffer[]>> = {
  pdf: [Buffer.from('%PDF-')],
  xml: [
    Buffer.from(XML_DECLARATION),
    Buffer.concat([BYTE_ORDER_MARK, Buffer.from(XML_DECLARATION)]),
    WIDE_DECLARATION,
    Buffer.from(WIDE_DECLARATION).swap16(),
  ],
};

/** Whether bytes begin as a file of the kind does. */
export const beginsAs = (kind: DocumentKind, bytes: Buffer): boolean =>
  BEGINNINGS[kind].some((beginning) => bytes.subarray(0, beginning.length).equals(beginning));
