import { isWider, type Power } from './wider-powers';

const NARROW: Power = {
  words: new Set(['contacts.list']),
  beneath: false,
  whitelist: ['192.0.2.0/24', '2001:db8::/32'],
};

const from = (whitelist: readonly string[]): Power => ({ ...NARROW, whitelist });

describe('isWider', () => {
  it.each<[string, Power]>([
    ['a further operation', { ...NARROW, words: new Set(['contacts.list', 'contacts.read']) }],
    ['another operation instead', { ...NARROW, words: new Set(['contacts.read']) }],
    ['beneath', { ...NARROW, beneath: true }],
    ['any address', from([])],
    ['a further address', from([...NARROW.whitelist, '198.51.100.1'])],
    ['a larger range', from(['192.0.0.0/16'])],
    ['another address instead', from(['198.51.100.1'])],
    ['a range that the old ones hold but for one address', from(['192.0.2.0/23'])],
  ])('finds %s', (_what, after) => {
    expect(isWider(NARROW, after)).toBe(true);
  });

  it.each<[string, Power, Power]>([
    ['the same', NARROW, { ...NARROW, words: new Set(NARROW.words) }],
    ['fewer operations', NARROW, { ...NARROW, words: new Set() }],
    ['no longer beneath', { ...NARROW, beneath: true }, NARROW],
    ['addresses where it was any', from([]), NARROW],
    ['any address where it was any', from([]), from([])],
    ['an address of a range', NARROW, from(['192.0.2.7'])],
    ['a range in the place of its halves', from(['192.0.2.0/25', '192.0.2.128/25']), from(['192.0.2.0/24'])],
    ['halves in the place of their range', from(['192.0.2.0/24']), from(['192.0.2.128/25', '192.0.2.0/25'])],
    ['overlapping ranges', from(['10.0.0.0/8', '10.1.0.0/16', '11.0.0.0/8']), from(['10.0.0.0/7'])],
  ])('does not find %s', (_what, before, after) => {
    expect(isWider(before, after)).toBe(false);
  });

  it('takes no IPv6 address for an IPv4 one of the same number', () => {
    expect(isWider(from(['0.0.0.1']), from(['::1']))).toBe(true);
  });
});
