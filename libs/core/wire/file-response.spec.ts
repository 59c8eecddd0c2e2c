import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Response } from 'express';
import { attachment, fileResponse } from './file-response';

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

it('remembers no response whose client is gone, nor one that has been sent', () => {
  jest.useFakeTimers();
  try {
    const file = {
      name: 'a.pdf',
      type: 'application/pdf',
      size: 1,
      first: Buffer.alloc(1),
      piece: () => Promise.resolve(undefined),
    };
    for (const isGone of [true, false]) {
      const response = new ServerResponse(new IncomingMessage(new Socket())) as unknown as Response;
      if (isGone) response.destroy();
      fileResponse(file, response);
      expect(jest.getTimerCount()).toBe(isGone ? 0 : 1);
      response.emit('close');
      expect(jest.getTimerCount()).toBe(0);
    }
  } finally {
    jest.useRealTimers();
  }
});
