import { once } from 'node:events';
import { connect } from 'node:net';

/** Ways to ask for what a proxy keeps inside, to the byte: two programs may read one target differently. */
export const INSIDE_TARGETS: readonly string[] = [
  ...['/metrics', '/health/ready'].flatMap((path) => [
    path,
    path.toUpperCase(),
    `/${path}`,
    `${path}/`,
    `${path}?`,
    `${path}#`,
    `${path}\\`,
    `${path}\\#`,
    `${path}\t`,
    `${path}%23`,
    `${path}%5c`,
    `${path}%00`,
    `${path}%0a`,
    `${path}?/v1/whoami`,
    `${path}%3f/v1/whoami`,
    `${path};/v1/whoami`,
    `${path}#/v1/whoami`,
    `${path}\\#/../v1/whoami`,
    `${path}/../v1/whoami`,
    `${path}/..\\v1\\whoami#`,
    `${path}/../../v1/whoami`,
    `${path}%2f..%2f..%2fv1/whoami`,
    `/.${path}`,
    `/v1/..${path}`,
    `/v1/.././${path}`,
    `/v1/%2e%2e${path}`,
    `/v1/..%2f${path}`,
    `/v1/..\\${path}#`,
    `/v1\\..\\${path}#`,
    `/v1/..;${path}`,
    `/v1/x/../..${path}`,
    `/docs/..${path}`,
    `/docs\\..${path}#`,
    `/account/..${path}`,
    `/.well-known/..${path}`,
    `/docs/../..${path}`,
    `/v1#/..${path}`,
    `/v1?#/..${path}`,
    `/v1%0a${path}`,
    `//v1/..${path}`,
    `//user@host${path}`,
    `//user@host${path}#`,
    `http://api.example.com${path}`,
    `http://api.example.com${path}\\#`,
    `http://${path}`,
    `http://${path}#`,
    `http:///v1${path}\\..#`,
    `http://api.example.com\\v1${path}#`,
    `http://api.example.com?/v1/..${path}`,
    `x:/${path}${path}`,
    `*${path}`,
  ]),
  '/%6detrics',
  '/m%65trics',
  '/metrics\\..\\metrics#',
  '/health\\ready#',
  '/health%5cready',
  '/health%2fready',
  '//user@[bad#',
  '/v1/x?y=\\..\\metrics#',
];

export interface RawAnswer {
  /** 0 if the connection was closed without an answer. */
  readonly status: number;
  readonly headers: string;
  readonly body: string;
}

/** Sends a GET, one byte for each character of the target, and reads until the connection is closed. */
export async function askRaw(
  url: string,
  target: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  let text = '';
  socket.on('data', (part: Buffer) => (text += part.toString('latin1')));
  const lines = Object.entries({ Host: 'api.example.com', ...headers, Connection: 'close' });
  const head = [`GET ${target} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`), '', ''];
  socket.write(Buffer.from(head.join('\r\n'), 'latin1'));
  await once(socket, 'close', { signal: AbortSignal.timeout(20_000) });
  const [received = '', ...rest] = text.split('\r\n\r\n');
  return {
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1] ?? 0),
    headers: received,
    body: rest.join('\r\n\r\n'),
  };
}
