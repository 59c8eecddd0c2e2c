import type { Type } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { schemaOf } from '@app/platform/database/schema-names';
import { describedFields } from '@app/platform/dto/described-fields';
import { readBody } from '@app/platform/dto/shape.pipe';
import type { RequestShape } from '@app/platform/dto/shapes';
import { parseCsvList } from '@app/platform/dto/text-rules';
import { type ErrorsByField, ValidationFailed } from '@app/platform/errors/api-error';
import type { CommandRun } from '../database';

/** The maximum and the present number of an owner's rows. */
export interface Amount {
  /** Identifies the owner, such as `user 12`. */
  readonly owner: string;
  readonly present: number;
  readonly most: number;
  /** The message for a record above the limit. */
  readonly message: string;
}

/** Result of looking a row up in the database. */
export type Finding<NewRecord> =
  /** There is no such record: the row can be written as this new one. */
  | { readonly record: NewRecord; readonly amounts?: readonly Amount[] }
  /** The record exists, and is not changed. A row is refused where these fields have other values. */
  | { readonly differences: readonly string[] }
  /** There is no such record, and the row cannot be written. */
  | { readonly reason: string };

/** Errors of a row by field, in one text. */
export const reasonIn = (faults: Readonly<Record<string, string>>): string =>
  Object.entries(faults)
    .map(([field, message]) => `${field}: ${message}`)
    .join('; ');

/** The order for writing rows that depend on each other, as positions in the file. */
export interface Arrangement {
  readonly order: readonly number[];
  /** Rows that cannot be written, with the reason. */
  readonly refused: ReadonlyMap<number, string>;
  /** Links of each bad row that lead nowhere, in the order of these rows: messages by field. */
  readonly missing: readonly Readonly<Record<string, string>>[];
}

/** The fields of a row as in the file. */
export type SourceValues = Readonly<Record<string, unknown>>;

/** All rows of a file that depend on each other. */
export interface RowsToArrange<Row> {
  readonly rows: readonly { readonly line: number; readonly row: Row }[];
  /** Rows with a bad field, as in the file. */
  readonly bad: readonly { readonly line: number; readonly values: SourceValues }[];
}

/** The columns of a file. */
export interface ImportFields {
  readonly known: readonly string[];
  /** Each of these fields must exist, in one of its spellings. */
  readonly required: readonly (readonly string[])[];
  /** Fields that identify a row for a person. */
  readonly identity: readonly string[];
  /** Fields whose values never appear in messages. */
  readonly secret: readonly string[];
}

/** How the rows of one kind of file are read. */
export interface RowKind<Row> {
  readonly fields: ImportFields;
  /** Throws ValidationFailed with every bad field; with `strict` also unknown fields. */
  read(values: SourceValues, strict: boolean): Row | Promise<Row>;
  /** Values that must be unique within a file, by field. */
  uniqueIn?(row: Row): readonly (readonly [field: string, value: string])[];
  /** Orders rows that depend on each other. Called once, with all rows. */
  arrange?(manager: EntityManager, rows: RowsToArrange<Row>): Promise<Arrangement>;
  /** What a trial says of a row that would be stored. Undefined: it only counts it. */
  readonly inTrial?: string;
  /** The fields of a bad row that refer to other records, except to those of the same file. */
  references(values: SourceValues): SourceValues;
}

/** The result for one row. `kept`: the record existed already. */
export type RowVerdict = 'stored' | 'kept' | { readonly error: string };

/** Writes rows of a kind. */
export interface RowWriter<Row> {
  /**
   * Runs outside a transaction before rows are stored: batch by batch, or with all rows if they are arranged.
   */
  prepare?(run: CommandRun, rows: readonly Row[]): Promise<void>;
  /** Writes a batch. Returns the result of each row, in order. */
  store(manager: EntityManager, rows: readonly Row[]): Promise<RowVerdict[]>;
}

/** A kind whose missing rows are written, each as one record. */
export interface ImportKind<Row, NewRecord> extends RowKind<Row> {
  readonly table: string;
  /** The identifier in a row. */
  idOf?(row: Row): number | undefined;
  /** Looks up rows. Changes nothing. */
  find(manager: EntityManager, rows: readonly Row[]): Promise<Finding<NewRecord>[]>;
  /** Writes the missing records, either all or none. */
  insert(manager: EntityManager, records: readonly NewRecord[]): Promise<void>;
}

export interface FieldsOfKind {
  readonly identity: readonly string[];
  readonly secret?: readonly string[];
  /** Fields that the API requires but a file may omit. */
  readonly optional?: readonly string[];
  /** Other names of required fields. */
  readonly otherSpellings?: Readonly<Record<string, string>>;
}

/** The columns of a file, from the shape that reads its rows. */
export function importFields(
  { body }: RequestShape<unknown>,
  { identity, secret = [], optional = [], otherSpellings = {} }: FieldsOfKind,
): ImportFields {
  const described = describedFields(body);
  return {
    identity,
    secret,
    known: [...described.keys(), ...Object.values(otherSpellings)],
    required: [...described]
      .filter(([name, { required }]) => required && !optional.includes(name))
      .map(([name]) => [name, otherSpellings[name]].filter((spelling) => spelling !== undefined)),
  };
}

/**
 * Reads a row and reports all its errors. If a field is bad, the rules for several fields are checked too,
 * with the values as in the file.
 */
export async function readRow<Row>(
  shape: RequestShape<Row>,
  values: Readonly<Record<string, unknown>>,
  strict: boolean,
  rules: readonly (() => void)[],
): Promise<Row> {
  try {
    return await readBody(shape, values, strict);
  } catch (error) {
    const fields = { ...fieldsOf(error) };
    for (const rule of rules) {
      try {
        rule();
      } catch (broken) {
        for (const [name, faults] of Object.entries(fieldsOf(broken))) fields[name] ??= faults;
      }
    }
    throw new ValidationFailed(fields);
  }
}

function fieldsOf(error: unknown): ErrorsByField {
  if (error instanceof ValidationFailed && error.fields !== undefined) return error.fields;
  throw error;
}

/** Splits a text at commas or semicolons. Other values are not changed. */
export const listOfText = (value: unknown): unknown =>
  typeof value === 'string' ? parseCsvList(value.replaceAll(';', ',')) : value;

/** Parses JSON in a csv cell. Anything else is left for validation. */
export function jsonOfText(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** The fields of a file that are compared with stored records, each with its property. */
export type ComparedColumns = Readonly<Record<string, string>>;

/**
 * The fields in which a row differs from its record. Ignores the order of lists, and
 * fields that the row omits.
 */
export function differences(columns: ComparedColumns, wanted: object, stored: object): string[] {
  const [row, record] = [wanted, stored] as [SourceValues, SourceValues];
  return Object.keys(columns).filter((name) => {
    const property = columns[name] ?? name;
    return row[property] !== undefined && comparable(row[property]) !== comparable(record[property]);
  });
}

/** Equal values have the same text, in any order of lists and keys. */
function comparable(value: unknown): string {
  // Files contain whole seconds.
  if (value instanceof Date) return String(Math.floor(value.getTime() / 1000));
  if (Array.isArray(value)) return `[${value.map(comparable).sort().join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}:${comparable(item)}`);
  return `{${entries.sort().join(',')}}`;
}

/** Selected properties of stored records. @param condition SQL, with `values` as its parameters */
export function storedRows<Entity extends object, Property extends keyof Entity & string>(
  manager: EntityManager,
  entity: Type<Entity>,
  properties: readonly Property[],
  condition: string,
  values: readonly unknown[],
): Promise<Pick<Entity, Property>[]> {
  const { table, columns } = schemaOf(entity);
  const selected = properties.map((property) => `"${columns.get(property)}" AS "${property}"`);
  return manager.query<Pick<Entity, Property>[]>(
    `SELECT ${selected.join(', ')} FROM ${table} WHERE ${condition}`,
    [...values],
  );
}

/**
 * Inserts many rows by one statement with one parameter. All rows have the properties of the first one; other
 * columns get their defaults. A column of type json keeps its text, which jsonb would rewrite.
 */
export async function insertRows<Entity extends object>(
  manager: EntityManager,
  entity: Type<Entity>,
  rows: readonly Partial<Entity>[],
): Promise<void> {
  const properties = Object.keys(rows[0] ?? {});
  if (properties.length === 0) return;
  const { table, columns } = schemaOf(entity);
  const names = properties.map((property) => `"${columns.get(property)}"`).join(', ');
  const values = rows.map((row) => {
    const cells = Object.entries<unknown>(row);
    return Object.fromEntries(cells.map(([name, value]) => [columns.get(name) ?? name, storable(value)]));
  });
  await manager.query(
    `INSERT INTO ${table} (${names})
     SELECT ${names} FROM json_populate_recordset(NULL::${table}, $1::json)`,
    [JSON.stringify(values)],
  );
}

/** Bytes in the text format of PostgreSQL. */
const storable = (value: unknown): unknown =>
  Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value;
