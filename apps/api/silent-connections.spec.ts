import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { closeSilent } from './silent-connections';

const LIMIT = 800;
/** More than the system takes for a client that reads nothing. */
const LARGE = Buffer.alloc(32 * 2 ** 20, 'x');

/**
 * A server that answers with the bytes, and the milliseconds from its answer to the
 * end of the first connection.
 * @param options `goesOn`: the answer does not end, and a byte follows in each step
 */
async function serve(body: Buffer, { keepAliveTimeout = 60_000, goesOn = false } = {}) {
  const server: Server = createServer((_, response) => {
    answeredAt = performance.now();
    if (goesOn) writeOnAndOn(response.writeHead(200), body);
    else response.end(body);
  });
  let answeredAt = NaN;
  const closed = new Promise<number>((resolve) =>
    server.once('connection', (socket: Socket) =>
      socket.once('close', () => resolve(performance.now() - answeredAt)),
    ),
  );
  Object.assign(server, { keepAliveTimeout, keepAliveTimeoutBuffer: 0 });
  closeSilent(server, LIMIT);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => undefined);
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  return {
    client,
    closed,
    [Symbol.asyncDispose]: async () => {
      client.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** When the connection was closed, or `open` after four limits. */
const closedOrOpen = (closed: Promise<number>): Promise<unknown> =>
  Promise.race([closed, new Promise((resolve) => setTimeout(() => resolve('open'), 4 * LIMIT))]);

/** Adds a byte when a step of the limit and a little more has passed. */
function writeOnAndOn(response: ServerResponse, body: Buffer): void {
  response.write(body);
  const timer = setInterval(() => response.write('x'), LIMIT / 10);
  response.on('close', () => clearInterval(timer));
}

it('closes a connection whose client has stopped in the middle of a large write once, not twice, the limit later', async () => {
  await using served = await serve(LARGE);
  served.client.pause();
  const duration = await served.closed;
  expect(duration).toBeGreaterThanOrEqual(LIMIT);
  expect(duration).toBeLessThan(1.5 * LIMIT);
});

it('keeps a connection whose client takes a little now and then', async () => {
  await using served = await serve(LARGE);
  const { client, closed } = served;
  let received = 0;
  // About 1 MB in each half of the limit.
  client.on('data', (part) => {
    received += part.length;
    if (received < 2 ** 20) return;
    received = 0;
    client.pause();
    setTimeout(() => client.resume(), LIMIT / 2);
  });
  expect(await closedOrOpen(closed)).toBe('open');
});

it('keeps a connection on which a byte leaves in each step, and counts none that only waits', async () => {
  await using read = await serve(Buffer.from('x'), { goesOn: true });
  read.client.resume();
  await using unread = await serve(LARGE, { goesOn: true });
  unread.client.pause();
  const [first, second] = await Promise.all([closedOrOpen(read.closed), unread.closed]);
  expect(first).toBe('open');
  expect(second).toBeLessThan(1.5 * LIMIT);
});

it('leaves the time between two requests to the timeout of kept connections', async () => {
  await using served = await serve(Buffer.from('x'), { keepAliveTimeout: 2 * LIMIT });
  served.client.resume();
  expect(await served.closed).toBeGreaterThanOrEqual(2 * LIMIT);
});
