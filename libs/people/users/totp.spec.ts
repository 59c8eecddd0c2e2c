import { newTotpSecret, readTotpSecret, totpAt, verifyTotp } from './totp';

/** Base32 of the ASCII secret 12345678901234567890 of RFC 6238, appendix B. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

/** The SHA-1 rows of RFC 6238, appendix B, cut to their last six digits (RFC 4226, section 5.3). */
const VECTORS: [seconds: number, code: string, step: number][] = [
  [59, '287082', 0x1],
  [1111111109, '081804', 0x23523ec],
  [1111111111, '050471', 0x23523ed],
  [1234567890, '005924', 0x273ef07],
  [2000000000, '279037', 0x3f940aa],
  [20000000000, '353130', 0x27bc86aa],
];

const atSecond = (seconds: number): Date => new Date(seconds * 1000);

describe('totp', () => {
  it.each(VECTORS)('at %p seconds is %p', (seconds, code, step) => {
    expect(totpAt(SECRET, atSecond(seconds))).toBe(code);
    expect(verifyTotp({ secret: SECRET, code, at: atSecond(seconds), afterStep: null })).toEqual({ step });
  });

  // The code 050471 belongs to step 37037037, which lasts from second 1111111110 to 1111111139.
  it.each([
    [1111111079, false],
    [1111111080, true],
    [1111111110, true],
    [1111111139, true],
    [1111111169, true],
    [1111111170, false],
  ])('allows one step of drift: at second %p the answer is %p', (seconds, accepted) => {
    const verified = verifyTotp({ secret: SECRET, code: '050471', at: atSecond(seconds), afterStep: null });
    expect(verified).toEqual(accepted ? { step: 37037037 } : undefined);
  });

  it('takes the fraction of a second as belonging to the second it is in', () => {
    const at = new Date(1111111169_999);
    expect(verifyTotp({ secret: SECRET, code: '050471', at, afterStep: null })).toEqual({ step: 37037037 });
  });

  it.each([
    [37037036, true],
    [37037037, false],
    [37037038, false],
    [37037039, false],
    [99999999, false],
    [0, true],
  ])('after step %p a code of step 37037037 is accepted: %p', (afterStep, accepted) => {
    const verified = verifyTotp({ secret: SECRET, code: '050471', at: atSecond(1111111111), afterStep });
    expect(verified).toEqual(accepted ? { step: 37037037 } : undefined);
  });

  it.each(['', '05047', '0504711', ' 050471', '050471\n', '05 0471', '05047a', '٠٥٠٤٧١', '-50471', '\u0000'])(
    'refuses %p without throwing',
    (code) => {
      expect(verifyTotp({ secret: SECRET, code, at: atSecond(1111111111), afterStep: null })).toBeUndefined();
    },
  );

  it('refuses a wrong code', () => {
    expect(
      verifyTotp({ secret: SECRET, code: '050472', at: atSecond(1111111111), afterStep: null }),
    ).toBeUndefined();
  });
});

describe('newTotpSecret', () => {
  it('is 160 bits of base32, other each time, and works', () => {
    const secret = newTotpSecret();
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(newTotpSecret()).not.toBe(secret);
    const at = new Date('2026-05-04T03:02:01Z');
    expect(verifyTotp({ secret, code: totpAt(secret, at), at, afterStep: null })).toEqual({
      step: Math.floor(at.getTime() / 30_000),
    });
  });
});

describe('readTotpSecret', () => {
  it.each([
    [SECRET, SECRET],
    ['gezd gnbv gy3t qojq', 'GEZDGNBVGY3TQOJQ'],
    ['GEZD-GNBV-GY3T-QOJQ-GE======', 'GEZDGNBVGY3TQOJQGE'],
    ['A'.repeat(103), 'A'.repeat(103)],
  ])('takes %j as %j, which works', (text, secret) => {
    expect(readTotpSecret(text)).toBe(secret);
    const at = atSecond(1111111111);
    expect(verifyTotp({ secret, code: totpAt(secret, at), at, afterStep: null })).toEqual({ step: 37037037 });
  });

  it.each([
    '',
    'GEZDGNBVGY3TQOJ',
    'GEZDGNBVGY3TQOJ1',
    'GEZDGNBVGY3TQOJQG',
    '3132333435363738393031',
    'A'.repeat(104),
  ])('does not take %j', (text) => {
    expect(readTotpSecret(text)).toBeUndefined();
  });
});
