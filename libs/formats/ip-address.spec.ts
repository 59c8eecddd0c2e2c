import { networkOf, normalisedAddress, subscriberOf } from './ip-address';

describe('normalisedAddress', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['2001:DB8::0:1', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['::1.2.3.4', '::102:304'],
    ['192.0.2.01', undefined],
    ['192.0.2', undefined],
    ['unknown', undefined],
    ['', undefined],
  ])('of %p is %p', (text, expected) => {
    expect(normalisedAddress(text)).toBe(expected);
  });
});

describe('networkOf', () => {
  it.each([
    ['192.0.2.255', '192.0.2.0/24'],
    ['192.0.3.1', '192.0.3.0/24'],
    ['::ffff:192.0.2.1', '192.0.2.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::', '2001:db8:1:3::/64'],
    ['::1', '::/64'],
  ])('of %p is %p', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });

  it('refuses what is not an address', () => {
    expect(() => networkOf('unknown')).toThrow(RangeError);
  });
});

describe('subscriberOf', () => {
  it.each([
    ['192.0.2.255', '192.0.2.255'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::7', '2001:db8:1:2::/64'],
    ['::1', '::/64'],
  ])('of %p is %p', (address, subscriber) => {
    expect(subscriberOf(address)).toBe(subscriber);
  });
});
