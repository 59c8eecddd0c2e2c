import { randomBytes } from 'node:crypto';

/** Crockford's base 32: no letter looks like a digit or another letter. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** 50 bits: with ten guesses in a quarter of an hour, and digests that are encrypted, far more than is needed. */
const LENGTH = 10;
const CANONICAL = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`);

/** A new code as its user reads it: `7k3xp-q0w9d`. */
export function newRecoveryCode(): string {
  const letters = [...randomBytes(LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]);
  return `${letters.slice(0, LENGTH / 2).join('')}-${letters.slice(LENGTH / 2).join('')}`;
}

/**
 * The one spelling of a code that somebody typed: case, hyphens and blanks do not matter, and letters that look like
 * digits are those. Undefined for what is no recovery code, such as the six digits of an authenticator.
 */
export function canonicalRecoveryCode(typed: string): string | undefined {
  const code = typed.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1');
  return CANONICAL.test(code) ? code : undefined;
}
