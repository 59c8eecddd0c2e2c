import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { closeSilent } from './silent-connections';

/** Steps in which a silent connection reaches the limit. */
const STEPS = 12;
/** So long that no timeout of Node ends in a test: the tests make the steps. */
const LIMIT = 3_600_000 * STEPS;
/** More than the system takes for a client that reads nothing. */
const LARGE = Buffer.alloc(32 * 2 ** 20, 'x');

afterEach(() => jest.restoreAllMocks());

/** A server that has begun to answer a client with the bytes. */
async function serve(body: Buffer, { limit = LIMIT, keepAliveTimeout = 60_000, goesOn = false } = {}) {
  const server: Server = createServer();
  Object.assign(server, { keepAliveTimeout, keepAliveTimeoutBuffer: 0 });
  closeSilent(server, limit);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => undefined);
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
  const socket = response.socket as Socket;
  if (goesOn) response.writeHead(200).write(body);
  else response.end(body);
  return {
    server,
    client,
    response,
    socket,
    [Symbol.asyncDispose]: async () => {
      client.destroy();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/**
 * Lets steps of the limit pass without a byte, but for what `between` does before each. Returns the number of
 * the step that closed the connection, or `open`.
 */
async function stepsUntilClosed(
  { server, socket }: { readonly server: Server; readonly socket: Socket },
  between: () => Promise<unknown> | void = () => undefined,
): Promise<number | 'open'> {
  const begun = performance.now();
  for (let step = 1; step <= 3 * STEPS; step++) {
    await between();
    jest.spyOn(performance, 'now').mockReturnValue(begun + (step * LIMIT) / STEPS);
    server.emit('timeout', socket);
    if (socket.destroyed) return step;
  }
  return 'open';
}

/** The system takes a part of the first write while the first steps pass. */
const expectClosedOnceNotTwiceTheLimitLater = (steps: number | 'open'): void => {
  expect(steps).toBeGreaterThanOrEqual(STEPS);
  expect(steps).toBeLessThan(2 * STEPS);
};

it('closes a connection whose client has stopped in the middle of a large write once, not twice, the limit later', async () => {
  await using served = await serve(LARGE);
  served.client.pause();
  expectClosedOnceNotTwiceTheLimitLater(await stepsUntilClosed(served));
});

it('keeps a connection on which a byte leaves in each step', async () => {
  await using served = await serve(Buffer.from('x'), { goesOn: true });
  const { client, response } = served;
  client.resume();
  const sendByte = async () => {
    response.write('x');
    await once(client, 'data');
  };
  expect(await stepsUntilClosed(served, sendByte)).toBe('open');
});

it('counts no byte that only waits', async () => {
  await using served = await serve(LARGE, { goesOn: true });
  const { client, response } = served;
  client.pause();
  expectClosedOnceNotTwiceTheLimitLater(await stepsUntilClosed(served, () => void response.write('x')));
});

it('leaves the time between two requests to the timeout of kept connections', async () => {
  await using served = await serve(Buffer.from('x'), { keepAliveTimeout: 100 });
  served.client.resume();
  await once(served.socket, 'close');
});

/** Milliseconds: here the timeouts of Node make the steps. */
const SHORT = 600;

it('closes a silent connection by the timeouts of Node', async () => {
  const begun = performance.now();
  await using served = await serve(LARGE, { limit: SHORT });
  served.client.pause();
  await once(served.socket, 'close');
  expect(performance.now() - begun).toBeGreaterThanOrEqual(SHORT);
});

it('keeps a connection whose client takes a part of a large write now and then', async () => {
  await using served = await serve(Buffer.alloc(64 * 2 ** 20, 'x'), { limit: SHORT });
  const { client, socket } = served;
  // More at once than the buffers of the system hold, so that each time the system takes more of the write.
  const takeEightMegabytes = async () => {
    for (let received = 0; received < 2 ** 23;) {
      client.resume();
      const [part] = (await once(client, 'data')) as [Buffer];
      client.pause();
      received += part.length;
    }
  };
  const until = performance.now() + 2.5 * SHORT;
  while (performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, SHORT / 2));
    await takeEightMegabytes();
  }
  expect(socket.destroyed).toBe(false);
});
