import { canonicalRecoveryCode, newRecoveryCode } from './recovery-codes';

describe('a new recovery code', () => {
  it('has two groups of five letters and digits that look like no other, each as likely', () => {
    const codes = Array.from({ length: 2000 }, newRecoveryCode);
    for (const code of codes) expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{5}-[0-9a-hjkmnp-tv-z]{5}$/);
    expect(new Set(codes).size).toBe(2000);
    const counts = new Map<string, number>();
    for (const letter of codes.join('').replaceAll('-', '')) {
      counts.set(letter, (counts.get(letter) ?? 0) + 1);
    }
    expect(counts.size).toBe(32);
    // 625 on average, with a standard deviation of 25.
    expect(Math.min(...counts.values())).toBeGreaterThan(450);
    expect(Math.max(...counts.values())).toBeLessThan(800);
  });
});

describe('what somebody typed', () => {
  it.each([
    ['7k3xp-q0w9d', '7k3xpq0w9d'],
    ['7K3XP Q0W9D', '7k3xpq0w9d'],
    [' 7k3xpq0w9d\n', '7k3xpq0w9d'],
    ['7k3xp-qOw9d', '7k3xpq0w9d'],
    ['Il3xp-q0w9d', '113xpq0w9d'],
    ['1234567890', '1234567890'],
  ])('%j is the code %s', (typed, code) => {
    expect(canonicalRecoveryCode(typed)).toBe(code);
  });

  it.each([
    '123456',
    ' 123 456 ',
    '',
    '7k3xp-q0w9',
    '7k3xp-q0w9dd',
    '7k3xp-q0w9u',
    '7k3xp_q0w9d',
    'ä'.repeat(10),
  ])('%j is no recovery code', (typed) => {
    expect(canonicalRecoveryCode(typed)).toBeUndefined();
  });
});
