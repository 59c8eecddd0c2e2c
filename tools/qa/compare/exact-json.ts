/** A number that JavaScript would write otherwise, such as `1.50` or one of 20 digits. */
export class ExactNumber {
  constructor(readonly text: string) {}
}

export type Exact =
  null | boolean | number | string | ExactNumber | readonly Exact[] | { readonly [name: string]: Exact };

/** A text, a number, or what opens and closes something. */
const PART = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*|[[\]{}]/g;
const MARK = '\u0000number ';

/** Nothing that is described is as deep, and a server may nest endlessly. */
const DEEPEST = 100;

/**
 * Parses JSON and keeps numbers as they were written, because a program that reads `1.0` may stumble over
 * `1`. Nothing where the text is no JSON, or is nested too deeply to be compared.
 */
export function parseExactly(text: string): { readonly value: Exact } | undefined {
  try {
    const value = JSON.parse(text) as Exact;
    const { deepest, hasExactNumber } = survey(text);
    if (deepest > DEEPEST) return undefined;
    return { value: hasExactNumber ? withExactNumbers(text) : value };
  } catch {
    return undefined;
  }
}

const isExact = (part: string): boolean => /^[-\d]/.test(part) && String(Number(part)) !== part;

function survey(text: string): { readonly deepest: number; readonly hasExactNumber: boolean } {
  let depth = 0;
  let deepest = 0;
  let hasExactNumber = false;
  for (const [part] of text.matchAll(PART)) {
    if (part === '[' || part === '{') depth += 1;
    else if (part === ']' || part === '}') depth -= 1;
    else hasExactNumber ||= isExact(part);
    deepest = Math.max(deepest, depth);
  }
  return { deepest, hasExactNumber };
}

function withExactNumbers(text: string): Exact {
  const marked = text.replaceAll(PART, (part) => (isExact(part) ? JSON.stringify(`${MARK}${part}`) : part));
  return JSON.parse(marked, (_, value: Exact) =>
    typeof value === 'string' && value.startsWith(MARK) ? new ExactNumber(value.slice(MARK.length)) : value,
  ) as Exact;
}

export type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'list' | 'object';

export function typeOf(value: Exact): JsonType {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'number' || value instanceof ExactNumber) return 'number';
  if (typeof value === 'string') return 'string';
  return Array.isArray(value) ? 'list' : 'object';
}

export type ExactObject = Readonly<Record<string, Exact>>;

export const isList = (value: Exact): value is readonly Exact[] => Array.isArray(value);

export const isObject = (value: Exact): value is ExactObject => typeOf(value) === 'object';

/** Text that is the same for equal values, whatever the order of their keys. */
export function canonical(value: Exact): string {
  if (value instanceof ExactNumber) return value.text;
  if (isList(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const fields = Object.keys(value).sort();
  return `{${fields.map((name) => `${JSON.stringify(name)}:${canonical(value[name] ?? null)}`).join(',')}}`;
}
