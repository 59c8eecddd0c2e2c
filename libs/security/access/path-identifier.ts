/** The largest identifier (32 bits, rule requests 42). */
const MAX_ID = 2_147_483_647;

/** A positive 32-bit integer in plain decimal; null for any other text. */
export function pathIdentifier(text: string | undefined): number | null {
  if (text === undefined || !/^[1-9]\d{0,9}$/.test(text)) return null;
  const id = Number(text);
  return id <= MAX_ID ? id : null;
}
