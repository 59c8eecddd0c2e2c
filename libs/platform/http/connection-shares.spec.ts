import { Socket } from 'node:net';
import { AddressList } from '@app/formats/ip-address';
import { addressOf } from '../context/client-addresses';
import { ConnectionShares } from './connection-shares';

const MOST = 8;

const from = (remoteAddress: string | undefined): Socket =>
  Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress, configurable: true });

const sharesBehind = (...proxies: string[]): ConnectionShares =>
  new ConnectionShares(AddressList.of(proxies));

/** The sockets of connections that are idle since the moment of their number. */
const openAll = (shares: ConnectionShares, ...addresses: string[]): (Socket | undefined)[] =>
  addresses.map((address, since) => {
    const socket = from(address);
    return shares.admit(socket, { owed: [], since }, MOST) ? socket : undefined;
  });

const admitted = (shares: ConnectionShares, ...addresses: string[]): boolean[] =>
  openAll(shares, ...addresses).map((socket) => socket !== undefined);

const idle = { owed: [], since: 0 };
const many = (address: string, count: number): string[] => Array<string>(count).fill(address);

it('gives a /64 of IPv6 one share, and each address of IPv4 its own', () => {
  const shares = sharesBehind();
  expect(admitted(shares, '2001:db8::1', '2001:db8::2', '2001:db8::3')).toEqual([true, true, false]);
  expect(admitted(shares, '2001:db8:0:1::1', '192.0.2.1', '::ffff:192.0.2.1', '192.0.2.1')).toEqual([
    true,
    true,
    true,
    false,
  ]);
  expect(admitted(shares, '192.0.2.2')).toEqual([true]);
});

it.each([
  ['/56', (network: number) => `2001:db8:0:${network}::1`, '2001:db8:1::1'],
  ['/48', (network: number) => `2001:db8:0:${network}00::1`, '2001:db8:1::1'],
])('gives a %s of IPv6 half of the connections', (_, addressIn, other) => {
  const shares = sharesBehind();
  expect(admitted(shares, ...[1, 2, 3, 4, 5].map(addressIn))).toEqual([true, true, true, true, false]);
  expect(admitted(shares, other)).toEqual([true]);
});

it('gives a trusted proxy as many as there are, and never closes them for others', () => {
  const shares = sharesBehind('10.0.0.0/8');
  expect(admitted(shares, ...many('::ffff:10.0.0.1', MOST))).toEqual(Array(MOST).fill(true));
  expect(admitted(shares, '192.0.2.1')).toEqual([false]);
});

describe('where all places are taken', () => {
  const closed = (sockets: readonly (Socket | undefined)[]): number[] =>
    sockets.flatMap((socket, index) => (socket?.destroyed === true ? [index] : []));

  it('closes the connection that has been idle longest, of the address that holds most', () => {
    const shares = sharesBehind();
    const [a, b, c, d] = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'] as const;
    const sockets = openAll(shares, d, b, a, a, b, c, c, '192.0.2.5');
    expect(closed(sockets)).toEqual([]);
    expect(admitted(shares, '192.0.2.6')).toEqual([true]);
    expect(closed(sockets)).toEqual([1]);
    expect(admitted(shares, '192.0.2.7')).toEqual([true]);
    expect(closed(sockets)).toEqual([1, 2]);
    // Its end is known already.
    sockets[1]?.emit('close');
    expect(admitted(shares, a, a)).toEqual([true, false]);
    expect(closed(sockets)).toEqual([1, 2, 5]);
  });

  it('takes the network of IPv6 that holds most, and of it the subscriber that holds most', () => {
    const shares = sharesBehind();
    const [neighbour, one, other] = ['2001:db8:0:1::1', '2001:db8:0:2::1', '2001:db8:0:3::1'] as const;
    const sockets = openAll(shares, neighbour, '192.0.2.1', '192.0.2.1', one, one, other);
    openAll(shares, '192.0.2.2', '192.0.2.2');
    expect(admitted(shares, '192.0.2.3')).toEqual([true]);
    expect(closed(sockets)).toEqual([3]);
  });

  it('closes none with a request under way, and refuses the new one if all have some', () => {
    const shares = sharesBehind();
    const owed: unknown[] = [{}];
    const busy = ['192.0.2.1', '192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4', '192.0.2.5'].map(from);
    for (const socket of busy) expect(shares.admit(socket, { owed, since: 0 }, MOST)).toBe(true);
    const others = openAll(shares, '192.0.2.6', '192.0.2.7');
    for (const address of ['192.0.2.8', '192.0.2.9'])
      expect(shares.admit(from(address), { owed, since: 0 }, MOST)).toBe(true);
    expect(closed(others)).toEqual([0, 1]);
    expect(admitted(shares, '192.0.2.10')).toEqual([false]);
    owed.pop();
    expect(admitted(shares, '192.0.2.10')).toEqual([true]);
    expect(closed(busy)).toEqual([0]);
  });
});

it('keeps the address of a connection that has ended', () => {
  const socket = from('::ffff:192.0.2.1');
  expect(sharesBehind().admit(socket, idle, MOST)).toBe(true);
  Object.defineProperty(socket, 'remoteAddress', { value: undefined });
  expect(addressOf(socket)).toBe('192.0.2.1');
});

it('admits no connection without an address', () => {
  const socket = from(undefined);
  expect(sharesBehind().admit(socket, idle, MOST)).toBe(false);
  expect(() => addressOf(socket)).toThrow('without being admitted');
});
