/**
 * The type coercion that old clients rely on (decisions.md section 1): numbers where text is declared, text
 * where a number or a boolean is. What is not understood comes back unchanged, for validation to refuse.
 */

/** A finite number becomes its decimal text; numbers that JavaScript writes with an exponent have none. */
export function coerceText(value: unknown): unknown {
  if (typeof value !== 'number' || !Number.isFinite(value)) return value;
  const text = String(value);
  return text.includes('e') ? value : text;
}

/** Decimal text of at most 15 digits, exact in a double, becomes the integer. */
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
