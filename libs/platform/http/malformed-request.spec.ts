import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { refusalOfMalformed } from './malformed-request';

/** The path and query of a request with this target; undefined if it is refused. */
function pathOf(target: string): string | undefined {
  const request = new IncomingMessage(new Socket());
  Object.assign(request, { url: target, httpVersion: '1.1', rawHeaders: ['Host', 'x'] });
  const refusal = refusalOfMalformed(request);
  // What Express does not hand to Node's old parser (parseurl, `fastparse`), whatever was sent.
  expect(request.url).toMatch(/^\/(?!\/)[^\s#\ufeff]*$/);
  if (refusal === undefined) return request.url;
  expect({ status: refusal.status, url: request.url }).toEqual({ status: 400, url: '/' });
  return undefined;
}

describe('the path of a request', () => {
  it('is that of its target, with single slashes', () => {
    for (const [target, path] of [
      ['/v1/login', '/v1/login'],
      ['//v1///login//?a=//b?c=//d', '/v1/login/?a=//b?c=//d'],
      ['///', '/'],
      ['/v1/%2F%5c%00%/..//./x', '/v1/%2F%5c%00%/.././x'],
      ['http://x//v1//login', '/v1/login'],
      ['HTTP://u:p@[::1]:8/?a', '/?a'],
      ['https://x', '/'],
      ['http://x?a=1', '/?a=1'],
      ['*', '/*'],
      ['*//metrics', '/*/metrics'],
    ] as const)
      expect([target, pathOf(target)]).toEqual([target, path]);
  });

  it('holds the characters that a path may hold, its query all but blanks, controls and #', () => {
    const path = new Set("-._~!$&'()*+,;=:@/%?");
    for (let code = 0; code <= 0x100; code++) {
      const character = code === 0x100 ? '\ufeff' : String.fromCharCode(code);
      const isVisible = code > 0x20 && code < 0x7f;
      const isOfPath = /[A-Za-z0-9]/.test(character) || path.has(character);
      expect([code, pathOf(`/a${character}b`) !== undefined]).toEqual([code, isOfPath]);
      expect([code, pathOf(`http://x/a${character}b`) !== undefined]).toEqual([code, isOfPath]);
      expect([code, pathOf(`/a?${character}b`) !== undefined]).toEqual([
        code,
        isVisible && character !== '#',
      ]);
    }
  });

  it('is that of no URL with another scheme or no authority', () => {
    for (const target of [
      'ftp://x/a',
      'x://metrics/metrics',
      'http:///a',
      'http://?a',
      'http://@/a',
      'http://:8/a',
      'http://x:99999/a',
      'http://[/a',
      'http://x\\a/b',
      'http:/a',
      'http:\\\\x/a',
      'a',
      '#',
      '*#',
    ])
      expect([target, pathOf(target)]).toEqual([target, undefined]);
  });
});
