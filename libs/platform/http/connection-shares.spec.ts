import { Socket } from 'node:net';
import { addressOf, ConnectionShares } from './connection-shares';
import { AddressList } from './ip-address';

const MOST = 8;

const from = (remoteAddress: string | undefined): Socket =>
  Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress, configurable: true });

const sharesBehind = (...proxies: string[]): ConnectionShares =>
  new ConnectionShares(AddressList.of(proxies));

const admitted = (shares: ConnectionShares, ...addresses: string[]): boolean[] =>
  addresses.map((address) => shares.admit(from(address), MOST));

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

it('gives a trusted proxy as many as there are', () => {
  expect(admitted(sharesBehind('10.0.0.0/8'), ...Array<string>(MOST).fill('::ffff:10.0.0.1'))).toEqual(
    Array(MOST).fill(true),
  );
});

it('keeps the address of a connection that has ended', () => {
  const socket = from('::ffff:192.0.2.1');
  expect(sharesBehind().admit(socket, MOST)).toBe(true);
  Object.defineProperty(socket, 'remoteAddress', { value: undefined });
  expect(addressOf(socket)).toBe('192.0.2.1');
});

it('admits no connection without an address', () => {
  const socket = from(undefined);
  expect(sharesBehind().admit(socket, MOST)).toBe(false);
  expect(() => addressOf(socket)).toThrow('without being admitted');
});
