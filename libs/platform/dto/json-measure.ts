/** How much structure the text of a JSON value has. */
interface JsonMeasure {
  /** Objects and arrays within each other; 1 for one that holds none. */
  readonly depth: number;
  /** Objects, arrays and commas: about as many as values. */
  readonly values: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/**
 * Measures JSON before it is parsed: tens of thousands of objects of three bytes each hold the event loop
 * for as long as many ordinary requests. Text that is no JSON has a measure too; the parser refuses it.
 */
export function measureOfJson(bytes: Uint8Array): JsonMeasure {
  let open = 0;
  let depth = 0;
  let values = 0;
  let isText = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (isText) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === COMMA) values++;
    else if (OPENING.has(byte)) {
      values++;
      depth = Math.max(depth, ++open);
    } else if (CLOSING.has(byte)) open--;
  }
  return { depth, values };
}
