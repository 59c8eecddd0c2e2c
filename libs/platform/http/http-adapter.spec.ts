import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Express, Request, Response } from 'express';
import { requestState } from '../context/request-state';
import { HttpAdapter } from './http-adapter';
import { refuseMalformed } from './malformed-request';

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
    adapter = new HttpAdapter();
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

  it('are served by the match of their path', async () => {
    adapter.getInstance<Express>().use((_request: Request, response: Response, next: () => void) => {
      const match = { route: { method: 'GET', path: '/of/:name' }, parameters: { name: 'a%20b' } };
      Object.assign(requestState(response), { match });
      next();
    });
    adapter.serveMatches();
    adapter.get('/of/:name', (request: Request, response: Response) => {
      response.end(`${request.params['name']?.toString()} of ${(request.route as { path: string }).path}`);
    });
    const { socket, received } = open();
    socket.write(ask('/of/a%20b', LAST));
    const text = await received;
    expect(text).toContain('a b of /of/:name');
  });

  it('are not served behind the last response of a service that stops', async () => {
    const { socket, received } = open();
    socket.write(ask('/held'));
    await held;
    adapter.drain();
    const arrived = once(server, 'request');
    socket.write(ask('/behind'));
    await arrived;
    release();
    const text = await received;
    expect(text).toContain('second half');
    expect(statusesOf(text)).toEqual(['200']);
    expect(served).toEqual([]);
  });

  it('end with their connection, those too that wait for the response before theirs', async () => {
    const closed: string[] = [];
    const served = new Promise<void>((resolve) => {
      adapter.getInstance<Express>().get('/of/:number', ({ path }: Request, response: Response) => {
        response.once('close', () =>
          closed.push(`${path} ${response.destroyed} ${response.writableFinished}`),
        );
        if (path === '/of/2') resolve();
      });
    });
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const { socket } = open();
    socket.write(ask('/held') + ask('/of/1') + ask('/of/2'));
    await Promise.all([held, served]);
    const [other] = await accepted;
    const gone = new Promise((resolve) => other.once('close', resolve));
    socket.destroy();
    await gone;
    expect(closed).toEqual(['/of/1 true false', '/of/2 true false']);
  });

  it('are answered before the connection ends because of one that is no HTTP', async () => {
    let answer: (() => void) | undefined;
    adapter.getInstance<Express>().get('/not/begun', (_request: Request, response: Response) => {
      answer = () => response.end('whole');
    });
    const { socket, received } = open();
    const refused = once(server, 'clientError');
    socket.write(`${ask('/not/begun')}no HTTP\r\n\r\n`);
    await refused;
    const again = once(server, 'clientError');
    socket.write('nor this\r\n\r\n');
    await again;
    answer?.();
    const text = await received;
    expect(statusesOf(text)).toEqual(['200']);
    expect(text).toContain('whole');
  });

  it('whose response is on its way lose it to one that is no HTTP, and no refusal is mixed in', async () => {
    const { socket, received } = open();
    socket.write(ask('/held'));
    await held;
    socket.write('no HTTP\r\n\r\n');
    const text = await received;
    expect(statusesOf(text)).toEqual(['200']);
    expect(text).not.toContain('second half');
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
