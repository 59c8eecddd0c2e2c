import { attachment } from './document-files';

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
