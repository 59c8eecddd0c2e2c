import { createServer, type IncomingMessage, request as forward, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Hands every request on but those that it refuses, and spoils the answers. */
export async function startProxy(
  target: string,
  spoil: (text: string) => string,
  refuses: (call: string) => boolean = () => false,
): Promise<Server> {
  const proxy = createServer((incoming, outgoing) => {
    const { method, headers, url = '' } = incoming;
    if (refuses(`${method} ${url}`)) return void outgoing.writeHead(502).end();
    const onward = forward(target + url, { method, headers: { ...headers } }, (response: IncomingMessage) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => {
        const spoilt = spoil(text);
        const { 'content-length': _length, ...rest } = response.headers;
        outgoing.writeHead(response.statusCode ?? 502, rest);
        outgoing.end(spoilt);
      });
    });
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return proxy;
}

export const urlOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/**
 * Hands on what comes beneath a prefix, without the prefix, as a proxy does that has a service at
 * a path; 404 for the rest.
 */
export async function startProxyAt(prefix: string, target: () => string): Promise<Server> {
  const proxy = createServer((incoming, outgoing) => {
    const { method, headers, url = '' } = incoming;
    if (!url.startsWith(`${prefix}/`)) return void outgoing.writeHead(404).end();
    const onward = forward(target() + url.slice(prefix.length), { method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return proxy;
}
