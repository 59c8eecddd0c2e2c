import { createHmac, hash, randomBytes, randomInt } from 'node:crypto';

const SECRET_BYTES = 32;

/** `randomInt` draws from a range below 2^48, which holds fourteen decimal digits. */
const MAX_CODE_DIGITS = 14;

/** A login hash, hash2fa, API key or token: 256 random bits as 64 hex digits. */
export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('hex');
}

/**
 * SHA-256 of a secret made by `newSecret`, for storage and look-up. 256 random bits can be neither guessed nor tabulated, so it
 * needs no salt and no slow hash, and an index finds it. Never for passwords or short codes.
 */
export function digestOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** A confirmation code of exactly `digits` decimal digits, leading zeros included, each value equally likely. */
export function newNumericCode(digits: number): string {
  if (!Number.isInteger(digits) || digits < 1 || digits > MAX_CODE_DIGITS) {
    throw new RangeError(`A numeric code has 1 to ${MAX_CODE_DIGITS} digits, not ${digits}`);
  }
  return randomInt(10 ** digits)
    .toString()
    .padStart(digits, '0');
}

/**
 * HMAC-SHA-256 for values with too few possibilities for `digestOf`: all 8-digit codes can be hashed in seconds, so a digest
 * must be worthless without a key that is not in the database.
 */
export function keyedDigest(key: Buffer, value: string): Buffer {
  return createHmac('sha256', key).update(value, 'utf8').digest();
}
