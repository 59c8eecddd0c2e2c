import type { Json } from './scenario';

const isText = (value: unknown): value is string => typeof value === 'string';
const matches = (pattern: RegExp) => (value: unknown) => isText(value) && pattern.test(value);
const isInteger = (least: number, most: number) => (value: unknown) =>
  Number.isInteger(value) && (value as number) >= least && (value as number) <= most;

/** Stand for values that an example cannot know; each matches one JSON type. */
const MATCHERS: Readonly<Record<string, (value: unknown) => boolean>> = {
  /** An identifier: an integer within 32 bits. */
  id: isInteger(1, 2_147_483_647),
  integer: isInteger(-2_147_483_648, 2_147_483_647),
  /** Text that holds Unix seconds of this century. */
  timestamp: matches(/^\d{9,10}$/),
  /** A moment in ISO 8601. */
  moment: matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  /** A number as text. */
  digits: matches(/^\d+$/),
  /** 256 bits as hex. */
  hash64: matches(/^[0-9a-f]{64}$/),
  uuid: matches(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  base32: matches(/^[A-Z2-7]{16,}$/),
  /** A secret of any form. */
  secret: matches(/^\S{16,}$/),
  domain: matches(/^[a-z0-9.-]+$/),
  base64url: matches(/^[\w-]+$/),
  text: isText,
  /** A list of what the example cannot know. */
  list: Array.isArray,
  /** All price groups, which are the operator's own. */
  pricegroups: (value) =>
    Array.isArray(value) && value.some((group) => (group as { id?: unknown }).id === '1'),
  url: matches(/^https?:\/\/\S+$/),
  /** Text that is not empty. */
  words: matches(/\S/),
};

/** A matcher, and the variable that it keeps what it finds as. */
export const MATCHER = /^<(\w+)>(?: as (\w+))?$/;
const VARIABLE = /\{(?:text )?(\w+)\}/g;

/** A variable's value, or how to get it when it is needed: a code of the moment, a token from a mail. */
export type Variable = Json | (() => Promise<Json>);
/** The variables of a scenario, by name. */
export type Variables = Map<string, Variable>;

async function valueOf(name: string, variables: Variables): Promise<Json> {
  const variable = variables.get(name);
  if (variable === undefined) throw new Error(`There is no variable {${name}}`);
  return typeof variable === 'function' ? variable() : variable;
}

/** Text as it is; anything else as JSON. */
const textOf = (value: Json): string => (isText(value) ? value : JSON.stringify(value));

/** The text with its variables filled in. */
export const filledText = async (text: string, variables: Variables): Promise<string> =>
  textOf(await filled(text, variables));

/** The value with its variables filled in. */
export async function filled(value: Json, variables: Variables): Promise<Json> {
  if (isText(value)) {
    const alone = /^\{(\w+)\}$/.exec(value)?.[1];
    if (alone !== undefined) return valueOf(alone, variables);
    let text = value;
    for (const [placeholder, name] of value.matchAll(VARIABLE)) {
      const found = textOf(await valueOf(name as string, variables));
      text = text.replace(placeholder, () => found);
    }
    return text;
  }
  if (Array.isArray(value)) return Promise.all(value.map((item: Json) => filled(item, variables)));
  if (value === null || typeof value !== 'object') return value;
  const fields = Object.entries(value as Record<string, Json>);
  return Object.fromEntries(
    await Promise.all(fields.map(async ([name, field]) => [name, await filled(field, variables)] as const)),
  );
}

/**
 * What differs between a value and what an example says of it, as sentences; captures go to the variables.
 */
export function differences(found: unknown, expected: Json, variables: Variables, where = 'body'): string[] {
  if (isText(expected)) {
    const [, matcher, name] = MATCHER.exec(expected) ?? [];
    const fits = matcher === undefined ? undefined : MATCHERS[matcher];
    if (fits !== undefined) {
      if (!fits(found)) return [`${where} is ${shown(found)}, expected ${expected}`];
      if (name !== undefined) variables.set(name, found as Json);
      return [];
    }
  }
  if (Array.isArray(expected)) return listDifferences(found, expected as readonly Json[], variables, where);
  if (expected !== null && typeof expected === 'object') {
    return objectDifferences(found, expected as Record<string, Json>, variables, where);
  }
  return found === expected ? [] : [`${where} is ${shown(found)}, expected ${shown(expected)}`];
}

function listDifferences(
  found: unknown,
  expected: readonly Json[],
  variables: Variables,
  where: string,
): string[] {
  if (!Array.isArray(found)) return [`${where} is ${shown(found)}, expected a list`];
  if (found.length !== expected.length) {
    return [`${where} has ${found.length} items, expected ${expected.length}: ${shown(found)}`];
  }
  return expected.flatMap((item, index) => differences(found[index], item, variables, `${where}[${index}]`));
}

function objectDifferences(
  found: unknown,
  expected: Readonly<Record<string, Json>>,
  variables: Variables,
  where: string,
): string[] {
  if (found === null || typeof found !== 'object' || Array.isArray(found)) {
    return [`${where} is ${shown(found)}, expected an object`];
  }
  const fields = found as Record<string, unknown>;
  const unexpected = Object.keys(fields).filter((name) => !Object.hasOwn(expected, name));
  return [
    ...unexpected.map((name) => `${where}.${name} is not expected: ${shown(fields[name])}`),
    ...Object.entries(expected).flatMap(([name, value]) =>
      Object.hasOwn(fields, name)
        ? differences(fields[name], value, variables, `${where}.${name}`)
        : [`${where}.${name} is missing`],
    ),
  ];
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
