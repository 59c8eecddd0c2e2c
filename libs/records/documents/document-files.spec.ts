import { attachment, beginsAs, validateDocumentName } from './document-files';

describe('the name of a file to save', () => {
  it.each([
    ['Invoice 7.pdf', 'attachment; filename="Invoice 7.pdf"'],
    ['Crédit.pdf', `attachment; filename="Credit.pdf"; filename*=UTF-8''Cr%C3%A9dit.pdf`],
    ['a"b\\c.pdf', `attachment; filename="a_b_c.pdf"; filename*=UTF-8''a%22b%5Cc.pdf`],
    ["it's (1)!.pdf", `attachment; filename="it_s (1)_.pdf"; filename*=UTF-8''it%27s%20%281%29%21.pdf`],
    ['a\r\nb.pdf', `attachment; filename="a__b.pdf"; filename*=UTF-8''a%0D%0Ab.pdf`],
    ['請求書.xml', `attachment; filename="___.xml"; filename*=UTF-8''%E8%AB%8B%E6%B1%82%E6%9B%B8.xml`],
  ])('%j is told as %s', (name, header) => {
    expect(attachment(name)).toBe(header);
  });
});

// rule documents 5
describe('the beginning of a file', () => {
  const MARK = '\ufeff';
  const wide = (text: string): Buffer => Buffer.from(`${MARK}${text}`, 'utf16le');

  it.each([
    ['<?xml version="1.0"?><Invoice/>'],
    ['<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"/>'],
    ['<rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100"/>'],
    ['<!-- made by billing --><Invoice/>'],
    ['<!DOCTYPE Invoice><Invoice/>'],
    ['\r\n  <Invoice/>'],
    ['<Überweisung/>'],
  ])('is XML: %s', (text) => {
    const files = [Buffer.from(text), Buffer.from(`${MARK}${text}`), wide(text), wide(text).swap16()];
    expect(files.map((file) => beginsAs('xml', file))).toEqual([true, true, true, true]);
  });

  it.each(['%PDF-1.7\n', '\n%PDF-1.7\n', '\r\n\r\n%PDF-1.4', `${MARK}%PDF-1.7\n`, `${MARK}\n%PDF-1.7\n`])(
    'is PDF: %j',
    (text) => {
      expect(beginsAs('pdf', Buffer.from(text))).toBe(true);
    },
  );

  it.each([
    ['xml', ''],
    ['xml', 'Invoice 7'],
    ['xml', '< Invoice/>'],
    ['xml', '{"a": "<a/>"}'],
    ['xml', '%PDF-1.7\n'],
    ['xml', '<html><script>'],
    ['xml', '\n<HTML>'],
    ['xml', '<!DOCTYPE html><script>'],
    ['pdf', 'x%PDF-1.7'],
    ['pdf', `${' '.repeat(1024)}%PDF-1.7`],
    ['pdf', '<?xml version="1.0"?><a/>'],
  ] as const)('is not %s: %j', (kind, text) => {
    expect(beginsAs(kind, Buffer.from(text))).toBe(false);
  });
});

// rule documents 4
describe('the name of a document', () => {
  it.each(['CON', 'prn', 'Aux.pdf', 'NUL', 'nul .x', 'COM1', 'com9.tar.gz', 'LPT1', 'lpt³'])(
    'is not %s, a device on Windows',
    (name) => {
      expect(validateDocumentName(name)).toMatchObject({ reason: 'INVALID' });
    },
  );

  it.each(['Contract', 'CON 7', 'COM', 'COM10', 'null', 'Prn-1', 'Invoice AUX'])('may be %s', (name) => {
    expect(validateDocumentName(name)).toBeUndefined();
  });
});
