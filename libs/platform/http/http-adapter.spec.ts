import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Express, Request, Response } from 'express';
import { HttpAdapter } from './http-adapter';
import { AddressList } from './ip-address';

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
    held = new Promise((resolve) => {
      application.get('/held', (_request: Request, response: Response) => {
        response.write('first half, ');
        release = () => response.end('second half');
        resolve();
      });
    });
    application.get('/:name', (request: Request, response: Response) => {
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

  it('are served behind one with an expectation that nobody meets', async () => {
    const { socket, received } = open();
    socket.write(ask('/a') + ask('/b', 'Expect: a miracle') + ask('/c', LAST));
    const text = await received;
    expect(statusesOf(text)).toEqual(['200', '417', '200']);
    expect(text).toContain('{"code":417,"message":"The expectation of the request can not be met"');
    expect(served).toEqual(['/a', '/c']);
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
});
