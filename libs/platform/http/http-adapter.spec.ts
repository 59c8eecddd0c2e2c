import { channel } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Express, Request, Response } from 'express';
import { AddressList } from '@app/formats/ip-address';
import { requestState } from '../context/request-state';
import { HttpAdapter } from './http-adapter';
import { refuseMalformed } from './malformed-request';
import { RequestTurns } from './request-turns';

const ask = (path: string, ...headers: readonly string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n');
const LAST = 'Connection: close';

describe('the requests of one connection', () => {
  let adapter: HttpAdapter;
  let server: Server;
  let served: string[];
  /** Ends the response of `/held`, which has begun. */
  let release: () => void;
  let held: Promise<void>;

  beforeEach(async () => {
    adapter = new HttpAdapter(AddressList.of([]));
    adapter.initHttpServer();
    server = adapter.getHttpServer();
    served = [];
    const application = adapter.getInstance<Express>();
    application.use(refuseMalformed);
    held = new Promise((resolve) => {
      application.get('/held', (_request: Request, response: Response) => {
        response.write('first half, ');
        release = () => response.end('second half');
        resolve();
      });
    });
    application.all('/:name', (request: Request, response: Response) => {
      served.push(request.path);
      response.send('whole');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const open = (): { socket: Socket; received: Promise<string> } => {
    const { port } = server.address() as AddressInfo;
    const socket = connect({ port, host: '127.0.0.1' });
    let text = '';
    socket.on('data', (bytes: Buffer) => (text += bytes.toString()));
    return { socket, received: once(socket, 'close').then(() => text) };
  };
  const statusesOf = (text: string): string[] =>
    [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status = '']) => status);

  it('are served whatever they expect, in their turn', async () => {
    const { socket, received } = open();
    socket.write(ask('/a') + ask('/b', 'Expect: a miracle') + ask('/c', LAST));
    const text = await received;
    expect(statusesOf(text)).toEqual(['200', '200', '200']);
    expect(served).toEqual(['/a', '/b', '/c']);
  });

  it('are served by the match of their path, with the headers of their state unless one is set', async () => {
    adapter.getInstance<Express>().use((_request: Request, response: Response, next: () => void) => {
      const match = { route: { method: 'GET', path: '/of/:name' }, parameters: { name: 'a%20b' } };
      Object.assign(requestState(response), { match, headers: ['X-Own', 'state', 'X-Set', 'state'] });
      response.setHeader('X-Set', 'set');
      next();
    });
    adapter.serveMatches();
    adapter.get('/of/:name', (request: Request, response: Response) => {
      response.end(`${request.params['name']?.toString()} of ${(request.route as { path: string }).path}`);
    });
    const { socket, received } = open();
    socket.write(ask('/of/a%20b', LAST));
    const text = await received;
    expect(text.split('\r\n').filter((line) => /^X-(Own|Set)/.test(line))).toEqual([
      'X-Set: set',
      'X-Own: state',
    ]);
    expect(text).toContain('a b of /of/:name');
  });

  it('are not served behind the last response of a service that stops', async () => {
    const { socket, received } = open();
    socket.write(ask('/held') + ask('/behind'));
    await held;
    adapter.drain();
    release();
    const text = await received;
    expect(text).toContain('second half');
    expect(statusesOf(text)).toEqual(['200']);
    expect(served).toEqual([]);
  });

  it('do not begin if their client has gone while they waited for their turn', async () => {
    const waiting: (() => void)[] = [];
    const turns = jest
      .spyOn(RequestTurns.prototype, 'run')
      .mockImplementation((begin) => void waiting.push(begin));
    const { socket } = open();
    socket.write(ask('/a'));
    const [{ socket: accepted }] = (await once(server, 'request')) as [Request];
    socket.destroy();
    await once(accepted, 'close');
    for (const begin of waiting) begin();
    turns.mockRestore();
    expect(waiting).toHaveLength(1);
    expect(served).toEqual([]);
  });

  it('are answered before the connection ends because of one that is no HTTP', async () => {
    const { socket, received } = open();
    socket.write(`${ask('/held')}no HTTP\r\n\r\n`);
    await held;
    const refused = once(server, 'clientError');
    socket.write('nor this\r\n\r\n');
    await refused;
    release();
    const text = await received;
    expect(statusesOf(text)).toEqual(['200']);
    expect(text).toContain('second half');
  });

  /** Node announces every request that it has parsed, before anybody looks at it. */
  const parsedDuring = async (work: () => Promise<unknown>): Promise<number> => {
    let parsed = 0;
    const count = (): void => void parsed++;
    const started = channel('http.server.request.start');
    started.subscribe(count);
    await work().finally(() => started.unsubscribe(count));
    return parsed;
  };

  it.each([
    ['without Host', 'GET /a HTTP/1.1\r\n\r\n'],
    ['with Host', 'GET /a HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['with a body', 'POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}'],
    [
      'with a body in chunks',
      'POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
    ],
  ])('%s are eight at most, however many a client sends at once', async (_, one) => {
    const parsed = await parsedDuring(async () => {
      const { socket, received } = open();
      socket.on('error', () => undefined).write(one.repeat(Math.floor(64_000 / one.length)));
      await received.catch(() => undefined);
    });
    expect(parsed).toBe(8);

    // Node uses the parser of the closed connection again.
    served = [];
    const { socket, received } = open();
    socket.write(ask('/b').repeat(7) + ask('/c', LAST));
    expect(statusesOf(await received)).toEqual(Array(8).fill('200'));
    expect(served).toEqual([...Array<string>(7).fill('/b'), '/c']);
  });

  it('read a body in tiny chunks as few pieces, and whole', async () => {
    const pieces: Buffer[] = [];
    adapter.getInstance<Express>().put('/the/body', (request: Request, response: Response) => {
      request
        .on('data', (piece: Buffer) => pieces.push(piece))
        .once('end', () => response.end(Buffer.concat(pieces)));
    });
    const parts = ['x'.repeat(2000), ...Array.from({ length: 900 }, (_, index) => String(index % 10))];
    const body = [...parts, 'y'.repeat(2000), 'end'];
    const { socket, received } = open();
    socket.write(
      'PUT /the/body HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n',
    );
    socket.write(`${body.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('')}0\r\n\r\n`);
    expect((await received).endsWith(`\r\n\r\n${body.join('')}`)).toBe(true);
    expect(pieces.length).toBeLessThan(30);
  });

  it('end with one that brings thousands of tiny chunks at once, whose parser then serves others', async () => {
    const pieces: Buffer[] = [];
    let parser: object | undefined;
    adapter.getInstance<Express>().put('/the/body', (request: Request, response: Response) => {
      parser = (request.socket as Socket & { readonly parser: object }).parser;
      request.on('data', (piece: Buffer) => pieces.push(piece)).once('end', () => response.end('read'));
    });
    const head =
      'PUT /the/body HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n';
    const flood = open();
    flood.socket.on('error', () => undefined);
    flood.socket.write(`${head}${'1\r\nx\r\n'.repeat(10_000)}0\r\n\r\n`);
    expect(await flood.received).toBe('');
    expect(Buffer.concat(pieces).length).toBeLessThan(1100);

    const flooded = parser;
    const { socket, received } = open();
    socket.write(`${head}${'1\r\nx\r\n'.repeat(500)}0\r\n\r\n`);
    expect((await received).endsWith('read')).toBe(true);
    expect(parser).toBe(flooded);
  });

  it('go on behind a body that nobody read', async () => {
    const { socket, received } = open();
    socket.write('PUT /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n');
    await once(socket, 'data');
    await new Promise((resolve) => setImmediate(resolve));
    const pieces: Buffer[] = [];
    adapter.getInstance<Express>().put('/the/body', (request: Request, response: Response) => {
      request.on('data', (piece: Buffer) => pieces.push(piece)).once('end', () => response.end('read'));
    });
    socket.write(`${'1\r\nx\r\n'.repeat(20_000)}0\r\n\r\n`);
    socket.write(`PUT /the/body HTTP/1.1\r\nHost: x\r\n${LAST}\r\nContent-Length: 3\r\n\r\nabc`);
    expect(await received).toMatch(/whole[^]*read$/);
    expect(Buffer.concat(pieces).toString()).toBe('abc');
  });

  it.each([
    ['no Host', 'GET /b HTTP/1.1\r\n\r\n', '400'],
    ['two Hosts', 'GET /b HTTP/1.1\r\nHost: x\r\nhost: x\r\n\r\n', '400'],
    ['no Host in HTTP/1.0', 'GET /b HTTP/1.0\r\n\r\n', '200'],
    ['two Hosts in HTTP/1.0', 'GET /b HTTP/1.0\r\nHost: x\r\nHost: y\r\n\r\n', '400'],
  ])('are answered with %s: %j gets %s, and what is behind it nothing', async (_, sent, status) => {
    const { socket, received } = open();
    socket.write(ask('/a') + sent + (sent.includes('1.1') ? ask('/c') : ''));
    const text = await received;
    expect(statusesOf(text)).toEqual(['200', status]);
    expect(served).toEqual(status === '200' ? ['/a', '/b'] : ['/a']);
    if (status === '400') expect(text).toContain('"code":400,"message":"The request needs one Host header"');
  });
});
