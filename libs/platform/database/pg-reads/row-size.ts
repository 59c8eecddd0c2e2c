/** Bytes of a field in JSON in addition to its name and value: quotes, colon and comma. */
const JSON_MARKS = 4;

/** Bytes of a number, a time, or null in JSON, about. */
const SCALAR_BYTES = 8;

/** About as many bytes as a row has in JSON. */
export function bytesOf(row: object): number {
  let bytes = 0;
  for (const [name, value] of Object.entries(row)) bytes += name.length + JSON_MARKS + bytesOfValue(value);
  return bytes;
}

function bytesOfValue(value: unknown): number {
  if (typeof value === 'string' || Buffer.isBuffer(value)) return value.length;
  if (typeof value !== 'object' || value === null || value instanceof Date) return SCALAR_BYTES;
  return JSON.stringify(value).length;
}
