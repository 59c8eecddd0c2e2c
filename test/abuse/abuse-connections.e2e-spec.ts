import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type AttackedService,
  bystanderDuring,
  startAttackedService,
  UNDISTURBED_P95,
} from '../support/faults/bystander';
import {
  describeBehind,
  HAPROXY,
  NGINX,
  type RunningProxy,
  startRecipeProxy,
} from '../support/faults/recipe-proxies';
import { useFiles } from '../support/service/files';
import { until } from '../support/service/until';

const ATTACKER = '127.0.0.22';
const CONNECTIONS = 100;
const ROUNDS = 3;

/** What the service may take of memory beyond what it had before, in MB. */
const MAX_MORE_MB = 100;

/** About as much as Node reads of a connection at once. */
const PIECE = 62_000;
const pieceOf = (one: string): string => one.repeat(Math.floor(PIECE / one.length));

const POST = 'POST /v1/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

/** What one connection sends at once. */
const PIECES = [
  ['pipelined requests', pieceOf('GET /v1/whoami HTTP/1.1\r\nHost: x\r\n\r\n')],
  ['pipelined requests without Host', pieceOf('GET /v1/whoami HTTP/1.1\r\n\r\n')],
  ['pipelined requests with a body', pieceOf(`${POST}Content-Length: 2\r\n\r\n{}`)],
  ['chunks of one byte', `${POST}Transfer-Encoding: chunked\r\n\r\n${pieceOf('1\r\nx\r\n')}`],
] as const;

/** Connections that stay: their clients send no more, and read nothing. */
const HELD = [
  ['half a head', 'GET /v1/whoami HTTP/1.1\r\nHost: x\r\n'],
  ['half a body', `${POST}Content-Length: 90000\r\n\r\n${'x'.repeat(60_000)}`],
  ['answers that nobody reads', pieceOf('GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: x\r\n\r\n')],
] as const;

const HOLD_MS = 3000;
/** Milliseconds after which a question whether the process serves again is asked anew. */
const PROBE_MS = 5000;

const FLOOD_CONNECTIONS = 300;
const FLOOD_MS = 6000;

let service: AttackedService;
beforeAll(async () => {
  service = await startAttackedService('A', { RATE_LIMIT: 'on', TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(() => service.stop());
const files = useFiles();

const open = (url: string): Socket => {
  const { hostname, port } = new URL(url);
  return connect({ host: hostname, port: Number(port), localAddress: ATTACKER }).on('error', () => undefined);
};

const send = async (url: string, piece: string): Promise<void> => {
  const socket = open(url).resume();
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.end(piece);
  // A proxy may keep a connection on which it waits for more.
  await Promise.race([closed, pause(HOLD_MS)]);
  socket.destroy();
};

const sendOnMany = (url: string, piece: string): Promise<unknown> =>
  Promise.all(Array.from({ length: CONNECTIONS }, () => send(url, piece)));

const holdMany = async (url: string, sent: string): Promise<void> => {
  const sockets = Array.from({ length: CONNECTIONS }, () => open(url).pause());
  for (const socket of sockets) socket.write(sent);
  await pause(HOLD_MS);
  for (const socket of sockets) socket.destroy();
};

const flood = async (url: string): Promise<void> => {
  const program = join(__dirname, '../support/faults/connection-flood.cjs');
  const { port } = new URL(url);
  await once(
    execFile(process.execPath, [program, port, String(FLOOD_CONNECTIONS), String(FLOOD_MS)]),
    'exit',
  );
};

for (const recipe of [NGINX, HAPROXY]) {
  describeBehind(recipe, () => {
    let proxy: RunningProxy;
    beforeAll(async () => {
      proxy = await startRecipeProxy(recipe, files.path('run-'), service.url, service.url);
    });
    afterAll(() => proxy.stop());

    /** Others are served while the attack lasts, and the service takes little more memory. */
    const expectServed = async (attack: (url: string) => Promise<unknown>): Promise<void> => {
      const behind = { ...service, url: proxy.url };
      const before = service.residentMb() ?? NaN;
      const { statuses, p95, peakMb } = await bystanderDuring(behind, () => attack(proxy.url));
      expect(Object.keys(statuses)).toEqual(['200']);
      expect(p95).toBeLessThan(UNDISTURBED_P95);
      expect(peakMb).toBeLessThan(before + MAX_MORE_MB);
    };

    it.each(PIECES)(
      'others are served beside %s, 62 kB on each of 100 connections of one address',
      async (_, piece) => {
        // What the first requests load is not the attack's.
        await send(proxy.url, piece);
        await expectServed(async (url) => {
          for (let round = 0; round < ROUNDS; round++) await sendOnMany(url, piece);
        });
      },
    );

    it.each(HELD)(
      'others are served beside %s on each of 100 connections of one address',
      async (_, sent) => {
        await expectServed((url) => holdMany(url, sent));
      },
    );

    it('others are served beside connections of one address that ask on and on, and others that come and go', async () => {
      await expectServed(flood);
    });
  });
}

describe('without a proxy', () => {
  it('GET /health/ready is 200 again when the floods have ended', async () => {
    for (const [, piece] of PIECES) await sendOnMany(service.url, piece);
    await Promise.all(HELD.map(([, sent]) => holdMany(service.url, sent)));
    await flood(service.url);
    await until(async () => {
      const signal = AbortSignal.timeout(PROBE_MS);
      const answer = await fetch(`${service.url}/health/ready`, { signal }).catch(() => undefined);
      return answer?.status === 200;
    });
    const { statuses, p95 } = await bystanderDuring(service, () => pause(HOLD_MS));
    expect(Object.keys(statuses)).toEqual(['200']);
    expect(p95).toBeLessThan(UNDISTURBED_P95);
  });
});
