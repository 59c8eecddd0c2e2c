import type { EntityManager, EntityTarget, ObjectLiteral } from 'typeorm';
import { parseCsvList } from '@app/platform/dto/text-rules';
import { coerceInteger, fieldRules, MAX_INTEGER } from '@app/platform/dto/field.decorators';
import { readBody } from '@app/platform/dto/read-body';
import { type FieldErrors, ValidationFailed } from '@app/platform/errors/api-error';
import type { RequestShape } from '@app/platform/dto/shapes';
import type { Database } from '../database';

/** How many rows an owner may have, and has. */
export interface Amount {
  /** Tells owners apart, such as `user 12`. */
  readonly owner: string;
  readonly present: number;
  readonly most: number;
  /** The message for a record above the limit. */
  readonly message: string;
}

/** Result of looking a row up in the database. */
export type Finding<NewRecord = unknown> =
  /** Nothing: the row can be taken over as this record. */
  | { readonly kind: 'absent'; readonly record: NewRecord; readonly amount?: Amount }
  /** The record, with the names of the fields that say something else there. */
  | { readonly kind: 'present'; readonly differences: readonly string[] }
  /** Nothing, and the row cannot be taken over either. */
  | { readonly kind: 'refused'; readonly reason: string };

export const absent = <NewRecord>(record: NewRecord, amount?: Amount): Finding<NewRecord> => ({
  kind: 'absent',
  record,
  ...(amount !== undefined && { amount }),
});

export const present = (differences: readonly string[]): Finding<never> => ({ kind: 'present', differences });

export const refused = (field: string, message: string): Finding<never> =>
  refusedFor([faultOf(field, message)]);

/** @param faults all faults of a row, each as {@link faultOf} words it */
export const refusedFor = (faults: readonly string[]): Finding<never> => ({
  kind: 'refused',
  reason: faults.join('; '),
});

export const faultOf = (field: string, message: string): string => `${field}: ${message}`;

/** The order in which rows are written that need each other, as their places in the file. */
export interface Arrangement {
  readonly order: readonly number[];
  /** Rows that cannot be written, with the reason. */
  readonly refused: ReadonlyMap<number, string>;
  /** The missing references of each bad row, in the order of these rows. */
  readonly missing: readonly Missing[];
}

/** References of a row that lead nowhere: messages by field. */
export type Missing = Readonly<Record<string, string>>;

/** The fields of a row as the file has them. */
export type SourceValues = Readonly<Record<string, unknown>>;

/** All rows of a file that depend on each other. */
export interface RowsToArrange<Row> {
  readonly rows: readonly { readonly line: number; readonly row: Row }[];
  /** Rows that are bad by themselves, as the file has them. */
  readonly bad: readonly { readonly line: number; readonly values: SourceValues }[];
}

/** The columns of a file. */
export interface ImportFields {
  readonly known: readonly string[];
  /** Each of these must be there, in one of its spellings. */
  readonly required: readonly (readonly string[])[];
  /** Fields that tell a person which row is meant. */
  readonly identity: readonly string[];
  /** Fields whose values no message shows. */
  readonly secret: readonly string[];
}

/** How the rows of one kind of file are read and compared with the database. */
export interface RowKind<Row> {
  readonly fields: ImportFields;
  /** Throws ValidationFailed that names every bad field, unknown ones too if `strict`. */
  read(values: SourceValues, strict: boolean): Row;
  /** Values that must be unique within a file, by field. */
  uniqueIn?(row: Row): readonly (readonly [field: string, value: string])[];
  /** Orders rows that depend on each other; called once, with all rows. */
  arrange?(manager: EntityManager, rows: RowsToArrange<Row>): Promise<Arrangement>;
  /** Finds references that lead nowhere in rows of bad form. Arranged kinds do this in `arrange`. */
  missing?(manager: EntityManager, rows: readonly SourceValues[]): Promise<Missing[]>;
  /** Looks rows up; changes nothing. */
  find(manager: EntityManager, rows: readonly Row[]): Promise<Finding[]>;
}

/** The result for one row; a `kept` row was there already. */
export type RowVerdict = 'stored' | 'kept' | { readonly error: string };

/** Writes rows of a kind. */
export interface RowWriter<Row> {
  /** Outside of a transaction, before rows are stored: batch by batch, or with all rows where they are arranged. */
  prepare?(database: Database, rows: readonly Row[]): Promise<void>;
  /** Writes a batch, and gives a verdict on each row, in order. */
  store(manager: EntityManager, rows: readonly Row[]): Promise<RowVerdict[]>;
}

/** A kind of which rows are written that are absent, each as one record. */
export interface ImportKind<Row, NewRecord> extends RowKind<Row> {
  readonly table: string;
  /** The identifier that a row brings along. */
  idOf?(row: Row): number | undefined;
  find(manager: EntityManager, rows: readonly Row[]): Promise<Finding<NewRecord>[]>;
  /** Writes what was absent, all of it or nothing. */
  insert(manager: EntityManager, records: readonly NewRecord[]): Promise<void>;
  /** What happens to a row whose record has other values: `refuse` names it as bad, `keep` leaves the record. */
  readonly whenDifferent: 'refuse' | 'keep';
}

export interface FieldsOfKind {
  readonly identity: readonly string[];
  readonly secret?: readonly string[];
  /** Fields that the interface demands and a file need not have. */
  readonly optional?: readonly string[];
  /** Other names of required fields. */
  readonly otherSpellings?: Readonly<Record<string, string>>;
}

/** The columns of a file whose rows are read by a shape. */
export function importFields(
  { body }: RequestShape<unknown>,
  { identity, secret = [], optional = [], otherSpellings = {} }: FieldsOfKind,
): ImportFields {
  const rules = fieldRules(body);
  return {
    identity,
    secret,
    known: [...rules.keys(), ...Object.values(otherSpellings)],
    required: [...rules]
      .filter(([name, { required }]) => required && !optional.includes(name))
      .map(([name]) => [name, otherSpellings[name]].filter((spelling) => spelling !== undefined)),
  };
}

/**
 * Reads a row and names all its faults: where a field is bad, the rules for several fields are looked at too. They get the
 * values as the file has them.
 */
export function readRow<Row>(
  shape: RequestShape<Row>,
  values: Readonly<Record<string, unknown>>,
  strict: boolean,
  rules: readonly (() => void)[],
): Row {
  try {
    return readBody(shape, values, strict);
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

function fieldsOf(error: unknown): FieldErrors {
  if (error instanceof ValidationFailed && error.fields !== undefined) return error.fields;
  throw error;
}

/** The identifier that a field of a bad row holds, if it holds one. */
export function identifierIn(values: SourceValues, field: string): number | undefined {
  const id = coerceInteger(values[field]);
  return Number.isInteger(id) && Number(id) > 0 && Number(id) <= MAX_INTEGER ? Number(id) : undefined;
}

/** Splits a text at commas or semicolons; leaves other values alone. */
export const listOfText = (value: unknown): unknown =>
  typeof value === 'string' ? parseCsvList(value.replaceAll(';', ',')) : value;

/** Parses JSON in a csv cell; leaves anything else for validation to refuse. */
export function jsonOfText(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** The fields of a file that are compared with stored records, each with the property of its value. */
export type ComparedColumns = Readonly<Record<string, string>>;

/** The fields in which a row differs from its record. The order of lists does not count, nor does what the row leaves out. */
export function differences(columns: ComparedColumns, wanted: object, stored: object): string[] {
  const [row, record] = [wanted, stored] as [SourceValues, SourceValues];
  return Object.keys(columns).filter((name) => {
    const property = columns[name] ?? name;
    return row[property] !== undefined && comparable(row[property]) !== comparable(record[property]);
  });
}

/** The same text for equal values, whatever the order of lists and keys. */
function comparable(value: unknown): string {
  // Files hold whole seconds.
  if (value instanceof Date) return String(Math.floor(value.getTime() / 1000));
  if (Array.isArray(value)) return `[${value.map(comparable).sort().join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}:${comparable(item)}`);
  return `{${entries.sort().join(',')}}`;
}

/** Properties of stored records. @param condition SQL, with `values` as its parameters */
export function storedRows<Entity extends ObjectLiteral, Property extends keyof Entity & string>(
  manager: EntityManager,
  entity: EntityTarget<Entity>,
  properties: readonly Property[],
  condition: string,
  values: readonly unknown[],
): Promise<Pick<Entity, Property>[]> {
  const { table, names } = tableOf(manager, entity, properties);
  const columns = properties.map((property, place) => `"${names[place]}" AS "${property}"`);
  return manager.query<Pick<Entity, Property>[]>(
    `SELECT ${columns.join(', ')} FROM ${table} WHERE ${condition}`,
    [...values],
  );
}

/**
 * Inserts many rows by one statement of one parameter, whatever their number. Each has the properties of the first;
 * columns that it leaves out get their defaults.
 */
export async function insertRows<Entity extends ObjectLiteral>(
  manager: EntityManager,
  entity: EntityTarget<Entity>,
  rows: readonly Partial<Entity>[],
): Promise<void> {
  const properties = Object.keys(rows[0] ?? {});
  if (properties.length === 0) return;
  const { table, names } = tableOf(manager, entity, properties);
  const columns = names.map((name) => `"${name}"`).join(', ');
  const values = rows.map((row) =>
    Object.fromEntries(names.map((name, place) => [name, storable(row[properties[place] ?? ''])])),
  );
  await manager.query(
    `INSERT INTO ${table} (${columns})
     SELECT ${columns} FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb)`,
    [JSON.stringify(values)],
  );
}

/** The table of an entity, and the names of the columns that hold these properties. */
function tableOf<Entity extends ObjectLiteral>(
  manager: EntityManager,
  entity: EntityTarget<Entity>,
  properties: readonly string[],
): { table: string; names: string[] } {
  const metadata = manager.connection.getMetadata(entity);
  const names = properties.map((property) => {
    const column = metadata.findColumnWithPropertyName(property);
    if (column === undefined) throw new TypeError(`${metadata.tableName} has no column ${property}`);
    return column.databaseName;
  });
  return { table: metadata.tableName, names };
}

/** Bytes as PostgreSQL reads them from text. */
const storable = (value: unknown): unknown =>
  Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value;
