import { BlockList } from 'node:net';
import fc from 'fast-check';
import { AddressList, parseAddressEntry } from './ip-address';

describe('parseAddressEntry', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['0.0.0.0', '0.0.0.0'],
    ['255.255.255.255', '255.255.255.255'],
    ['192.0.2.0/24', '192.0.2.0/24'],
    ['128.0.0.0/1', '128.0.0.0/1'],
    ['192.0.2.1/32', '192.0.2.1'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['2001:0db8::0001/128', '2001:db8::1'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['2001:db8::/32', '2001:db8::/32'],
    ['2001:db8:8000::/33', '2001:db8:8000::/33'],
    ['::', '::'],
    ['::1', '::1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:0201', '192.0.2.1'],
    ['::ffff:192.0.2.0/120', '192.0.2.0/24'],
    ['::ffff:192.0.2.1/128', '192.0.2.1'],
    ['64:ff9b::192.0.2.1', '64:ff9b::c000:201'],
    // The deprecated IPv4-compatible form is an IPv6 address of its own, not IPv4.
    ['::1.2.3.4', '::102:304'],
  ])('writes %p as %p', (text, canonical) => {
    expect(parseAddressEntry(text)).toEqual({ canonical });
  });

  it.each([
    '',
    ' ',
    '/',
    '192.0.2',
    '192.0.2.',
    '192.0.2.1.1',
    '192.0.2.256',
    '192.0.2.01',
    '192.0.2.010',
    '0300.0.2.1',
    '0xc0.0.2.1',
    '0xc0000201',
    '3221225985',
    '127.1',
    ' 192.0.2.1',
    '192.0.2.1 ',
    '192.0.2.1\n',
    '192.0.2. 1',
    '192.0.2.-1',
    '+192.0.2.1',
    '192.0.2.1:80',
    '192.0.2.*',
    '192.0.2.1-192.0.2.9',
    '192.0.2.0/255.255.255.0',
    '192.0.2/24',
    '192.0.2.0/',
    '192.0.2.0/024',
    '192.0.2.0/+24',
    '192.0.2.0/-1',
    '192.0.2.0/24.0',
    '192.0.2.0/2e1',
    '192.0.2.0/ 24',
    '192.0.2.0/24/24',
    '/24',
    '192.0.2.1\u0000',
    '١٩٢.٠.٢.١',
    'localhost',
    'example.com',
    '2001:db8::1%eth0',
    'fe80::1%1',
    'fe80::%eth0/64',
    '[2001:db8::1]',
    '2001:db8:::1',
    '2001:db8::1::1',
    '2001:db8',
    '2001:db8:1:2:3:4:5:6:7',
    '2001:db8::12345',
    '2001:db8::g',
    '::ffff:192.0.2.010',
    '::ffff:192.0.2',
    '::192.0.2.1.1',
  ])('refuses %p', (text) => {
    expect(parseAddressEntry(text)).toEqual({
      error: {
        reason: 'INVALID_IP_ADDRESS',
        message: 'This is not an IPv4 or IPv6 address or a CIDR range.',
      },
    });
  });

  it.each([
    ['0.0.0.0/0', 'A range of all addresses (/0) is not allowed.'],
    ['::/0', 'A range of all addresses (/0) is not allowed.'],
    ['192.0.2.1/0', 'A range of all addresses (/0) is not allowed.'],
    ['::ffff:0.0.0.0/96', 'A range of all IPv4 addresses is not allowed.'],
    ['192.0.2.0/33', 'The prefix length is at most 32.'],
    ['2001:db8::/129', 'The prefix length is at most 128.'],
    ['192.0.2.1/24', 'The address has bits set beyond the prefix length.'],
    ['192.0.2.129/25', 'The address has bits set beyond the prefix length.'],
    ['192.0.2.2/30', 'The address has bits set beyond the prefix length.'],
    ['2001:db8::1/64', 'The address has bits set beyond the prefix length.'],
    ['2001:db8:c000::/33', 'The address has bits set beyond the prefix length.'],
    ['::ffff:192.0.2.1/120', 'The address has bits set beyond the prefix length.'],
    ['::ffff:0:0/95', 'The address has bits set beyond the prefix length.'],
  ])('refuses %p: %s', (text, message) => {
    const reason = message.startsWith('A range of all') ? 'RANGE_TOO_WIDE' : 'INVALID_IP_ADDRESS';
    expect(parseAddressEntry(text)).toEqual({ error: { reason, message } });
  });
});

describe('AddressList', () => {
  const list = AddressList.of([
    '192.0.2.1',
    '198.51.100.0/25',
    '2001:db8::/33',
    '::ffff:203.0.113.7',
    '::1.2.3.4',
  ]);

  it.each([
    ['192.0.2.1', true],
    ['::ffff:192.0.2.1', true],
    ['::FFFF:C000:0201', true],
    ['192.0.2.2', false],
    ['198.51.100.0', true],
    ['198.51.100.127', true],
    ['::ffff:198.51.100.127', true],
    ['198.51.100.128', false],
    ['198.51.99.255', false],
    ['2001:db8:7fff:ffff:ffff:ffff:ffff:ffff', true],
    ['2001:DB8:0::1', true],
    ['2001:db8:8000::', false],
    ['203.0.113.7', true],
    ['203.0.113.8', false],
    ['::192.0.2.1', false],
    ['1.2.3.4', false],
    ['::102:304', true],
    ['192.0.2.01', false],
    ['', false],
    ['unknown', false],
  ])('includes %p: %p', (address, expected) => {
    expect(list.includes(address)).toBe(expected);
  });

  it('does not let an IPv6 range cover IPv4', () => {
    const wide = AddressList.of(['::/1', '::/64']);
    expect(wide.includes('192.0.2.1')).toBe(false);
    expect(wide.includes('::ffff:192.0.2.1')).toBe(false);
    expect(wide.includes('::2')).toBe(true);
  });

  it('is empty without entries, and then includes nothing', () => {
    expect(AddressList.of([]).isEmpty).toBe(true);
    expect(AddressList.of([]).includes('192.0.2.1')).toBe(false);
    expect(list.isEmpty).toBe(false);
  });

  it('names the entry it cannot read', () => {
    expect(() => AddressList.of(['192.0.2.1', '192.0.2.1/24'])).toThrow(
      new RangeError('"192.0.2.1/24": The address has bits set beyond the prefix length.'),
    );
  });

  it('agrees with net.BlockList at the edges of any range', () => {
    const range = fc.oneof(
      fc.record({
        bits: fc.constant(32),
        value: fc.bigInt(0n, 2n ** 32n - 1n),
        length: fc.integer({ min: 1, max: 32 }),
      }),
      fc.record({
        bits: fc.constant(128),
        value: fc.bigInt(2n ** 48n, 2n ** 128n - 1n),
        length: fc.integer({ min: 1, max: 128 }),
      }),
    );
    fc.assert(
      fc.property(range, ({ bits, value, length }) => {
        const size = 1n << BigInt(bits - length);
        const first = value - (value % size);
        const family = bits === 32 ? 'ipv4' : 'ipv6';
        const oracle = new BlockList();
        oracle.addSubnet(addressText(first, bits), length, family);
        const list = AddressList.of([`${addressText(first, bits)}/${length}`]);
        for (const number of [first - 1n, first, value, first + size - 1n, first + size]) {
          if (number < 0n || number >= 1n << BigInt(bits)) continue;
          // Unlike BlockList, ours takes mapped addresses for IPv4, outside any IPv6 range.
          if (bits === 128 && number >> 32n === 0xffffn) continue;
          const address = addressText(number, bits);
          expect(list.includes(address)).toBe(oracle.check(address, family));
        }
      }),
      { numRuns: 300 },
    );
  });
});

function addressText(value: bigint, bits: number): string {
  const hex = value.toString(16).padStart(bits / 4, '0');
  if (bits === 32) return (hex.match(/../g) ?? []).map((byte) => parseInt(byte, 16)).join('.');
  return (hex.match(/.{4}/g) ?? []).join(':');
}
