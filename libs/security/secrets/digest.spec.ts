import { digestOf, newNumericCode, newSecret } from './digest';

describe('newSecret', () => {
  it('is 256 bits in hex and never the same twice', () => {
    const secrets = Array.from({ length: 200 }, () => newSecret());
    for (const secret of secrets) expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect(new Set(secrets).size).toBe(secrets.length);
  });
});

describe('digestOf', () => {
  it.each([
    // FIPS 180-4 examples
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  ])('is the SHA-256 of %p', (secret, hex) => {
    expect(digestOf(secret).toString('hex')).toBe(hex);
  });
});

describe('newNumericCode', () => {
  it('has the asked number of digits', () => {
    for (const digits of [1, 6, 8, 14])
      expect(newNumericCode(digits)).toMatch(new RegExp(`^\\d{${digits}}$`));
  });

  it('draws every digit, zero in front included, about equally often', () => {
    const firstDigits = new Map<string, number>();
    for (let i = 0; i < 20_000; i++) {
      const first = newNumericCode(8).charAt(0);
      firstDigits.set(first, (firstDigits.get(first) ?? 0) + 1);
    }
    expect([...firstDigits.keys()].sort().join('')).toBe('0123456789');
    // 2000 expected, standard deviation 42: nine deviations never happen by chance.
    for (const count of firstDigits.values()) expect(Math.abs(count - 2000)).toBeLessThan(9 * 42);
  });
});
