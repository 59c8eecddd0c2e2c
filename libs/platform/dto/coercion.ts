/**
 * The type coercion on which old clients rely (rule requests 14, rule requests 16): numbers for text, text
 * for numbers and booleans. Other values are not changed, and validation refuses them.
 */

/** The largest identifier and integer on the wire (32 bits, rule requests 19). */
export const MAX_INTEGER = 2_147_483_647;

/** Most digits after the point of a number that counts as text (rule requests 14). */
const MOST_DECIMALS = 15;

/**
 * A number becomes its decimal text, unless it has more digits than a double keeps:
 * another number would be stored.
 */
export function coerceText(value: unknown): unknown {
  if (typeof value !== 'number' || !(Math.abs(value) <= Number.MAX_SAFE_INTEGER)) return value;
  const [, digits = '', exponent = '0'] = /^-?\d+\.?(\d*)(?:e-(\d+))?$/.exec(String(value)) ?? [];
  const decimals = digits.length + Number(exponent);
  if (decimals > MOST_DECIMALS) return value;
  // JavaScript writes small numbers with an exponent.
  return exponent === '0' ? String(value) : value.toFixed(decimals);
}

/**
 * A JSON number has lost the zeros before a code of that many digits: 23220 is `023220` (rule login 56).
 */
export const coerceDigits =
  (digits: number) =>
  (value: unknown): unknown =>
    typeof value === 'number' && Number.isInteger(value) && value >= 0
      ? padded(coerceText(value), digits)
      : coerceText(value);

const padded = (value: unknown, digits: number): unknown =>
  typeof value === 'string' ? value.padStart(digits, '0') : value;

/** Decimal text of at most 15 digits, which a double represents exactly, becomes the integer. */
export function coerceInteger(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const text = value.trim();
  return /^-?\d{1,15}$/.test(text) ? Number(text) : value;
}

const BOOLEANS = new Map<unknown, boolean>([
  ['true', true],
  ['1', true],
  [1, true],
  ['false', false],
  ['0', false],
  [0, false],
]);

/** `true`, `false`, `1`, `0` in any case, as text or number. */
export function coerceBoolean(value: unknown): unknown {
  return BOOLEANS.get(typeof value === 'string' ? value.trim().toLowerCase() : value) ?? value;
}
