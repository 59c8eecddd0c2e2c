import { parseCsvList } from '../text/csv-list';
import { fieldRules } from '../wire/field.decorators';
import type { RequestShape } from '../wire/shapes';
import type { ImportFields } from './import-kind';

/** The columns of a file whose rows are read by a shape; a required field may have other spellings. */
export function importFields(
  { body }: RequestShape<unknown>,
  otherSpellings: Readonly<Record<string, string>> = {},
): ImportFields {
  const rules = fieldRules(body);
  return {
    known: [...rules.keys(), ...Object.values(otherSpellings)],
    required: [...rules]
      .filter(([, { required }]) => required)
      .map(([name]) => [name, otherSpellings[name]].filter((spelling) => spelling !== undefined)),
  };
}

/** A list as one text, separated by commas or semicolons; what is no text stays. */
export const listOfText = (value: unknown): unknown =>
  typeof value === 'string' ? parseCsvList(value.replaceAll(';', ',')) : value;

/** JSON in a cell of a csv file; what is none stays, for validation to refuse. */
export function jsonOfText(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** The fields of a record that another has otherwise. Lists are compared without regard to order. */
export function differences<Values extends object>(wanted: Values, stored: Readonly<Values>): string[] {
  const names = Object.keys(wanted) as (keyof Values & string)[];
  return names.filter((name) => comparable(wanted[name]) !== comparable(stored[name]));
}

/** One text for values that say the same: lists in any order, objects with their keys in any order. */
function comparable(value: unknown): string {
  if (value instanceof Date) return String(value.getTime());
  if (Array.isArray(value)) return `[${value.map(comparable).sort().join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}:${comparable(item)}`);
  return `{${entries.sort().join(',')}}`;
}
