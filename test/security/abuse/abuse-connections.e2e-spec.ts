import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import {
  type AttackedService,
  bystanderDuring,
  startAttackedService,
  UNDISTURBED_P95,
} from '../../support/faults/bystander';

const ATTACKER = '127.0.0.22';
const CONNECTIONS = 150;
const ROUNDS = 3;

/** What the service may take of memory beyond what it had before, in MB. */
const MAX_MORE_MB = 100;

/** About as much as Node reads of a connection at once. */
const PIECE = 62_000;
const pieceOf = (one: string): string => one.repeat(Math.floor(PIECE / one.length));

let service: AttackedService;
beforeAll(async () => (service = await startAttackedService('A', { RATE_LIMIT: 'on' })));
afterAll(() => service.stop());

describe('pieces of 62 kB, on 150 connections of one address at once', () => {
  const send = async (piece: string): Promise<void> => {
    const { hostname, port } = new URL(service.url);
    const socket = connect({ host: hostname, port: Number(port), localAddress: ATTACKER });
    socket.on('error', () => undefined).resume();
    const closed = once(socket, 'close').catch(() => undefined);
    socket.end(piece);
    await closed;
  };

  /** Lets many connections send the piece while a user of another address works. */
  const attack = async (piece: string) => {
    // What the first requests load is not the attack's.
    await bystanderDuring(service, () => send(piece));
    const before = service.residentMb() ?? NaN;
    const notice = await bystanderDuring(service, async () => {
      for (let round = 0; round < ROUNDS; round++)
        await Promise.all(Array.from({ length: CONNECTIONS }, () => send(piece)));
    });
    expect(Object.keys(notice.statuses)).toEqual(['200']);
    expect(notice.peakMb).toBeLessThan(before + MAX_MORE_MB);
    return notice;
  };

  it.each([
    ['without Host', 'GET / HTTP/1.1\r\n\r\n'],
    ['with Host', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['with a body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}'],
  ])('of requests %s leave the service to others', async (_, one) => {
    const { p95 } = await attack(pieceOf(one));
    expect(p95).toBeLessThan(UNDISTURBED_P95);
  });

  // Of a body that somebody reads, a thousand chunks are read.
  it.each([
    ['/v1/login', 2 * UNDISTURBED_P95],
    ['/v1/nowhere', UNDISTURBED_P95],
  ])('of a body in tiny chunks for %s leave it to others', async (path, most) => {
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;
    const { p95 } = await attack(`${head}Transfer-Encoding: chunked\r\n\r\n${pieceOf('1\r\nx\r\n')}`);
    expect(p95).toBeLessThan(most);
  });
});

/** Just below the share of one address. */
const FLOOD_CONNECTIONS = 480;
const FLOOD_MS = 8000;

it('connections of one address that ask again and again, and others that come and go, leave new ones to others', async () => {
  const flood = join(__dirname, '../../support/faults/connection-flood.cjs');
  const { port } = new URL(service.url);
  const { statuses, p95 } = await bystanderDuring(service, async () => {
    await once(
      execFile(process.execPath, [flood, port, String(FLOOD_CONNECTIONS), String(FLOOD_MS)]),
      'exit',
    );
  });
  expect(Object.keys(statuses)).toEqual(['200']);
  // Others stand behind 240 connections of the flood: where turns are long, for twice this time and more.
  expect(p95).toBeLessThan(2 * UNDISTURBED_P95);
});
