import { hash, randomBytes, randomInt } from 'node:crypto';

const SECRET_BYTES = 32;

/** A login hash, hash2fa, API key or token: 256 random bits as 64 hex digits. */
export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('hex');
}

/** Whether a text has the format of `newSecret`. */
export const isSecret = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

/**
 * SHA-256 of a secret from `newSecret`, for storage and look-up by index. 256 random bits cannot be guessed
 * or tabulated, so the digest needs no salt and no slow hash. Never use it for passwords or short codes.
 */
export function digestOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/**
 * A confirmation code of exactly `digits` decimal digits with leading zeros. All codes are equally likely.
 */
export const newNumericCode = (digits: number): string =>
  String(randomInt(10 ** digits)).padStart(digits, '0');
