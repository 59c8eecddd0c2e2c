import type { EntityManager } from 'typeorm';

/** How many rows an owner may have, and has. */
export interface Amount {
  /** Tells owners apart, such as `user 12`. */
  readonly owner: string;
  readonly present: number;
  readonly most: number;
  /** What to say of one too many. */
  readonly message: string;
}

/** What the database has for a row of a file. */
export type Finding<NewRecord = unknown> =
  /** Nothing: the row can be taken over as this record. */
  | { readonly kind: 'absent'; readonly record: NewRecord; readonly amount?: Amount }
  /** The record, with the names of the fields that say something else there. */
  | { readonly kind: 'present'; readonly differences: readonly string[] }
  /** Nothing, and the row can not be taken over either. */
  | { readonly kind: 'refused'; readonly reason: string };

export const absent = <NewRecord>(record: NewRecord, amount?: Amount): Finding<NewRecord> => ({
  kind: 'absent',
  record,
  ...(amount !== undefined && { amount }),
});

export const present = (differences: readonly string[]): Finding<never> => ({ kind: 'present', differences });

export const refused = (field: string, message: string): Finding<never> => ({
  kind: 'refused',
  reason: `${field}: ${message}`,
});

/** The order in which rows are written that need each other, as their places in the file. */
export interface Arrangement {
  readonly order: readonly number[];
  /** Rows that can not be written, with the reason. */
  readonly refused: ReadonlyMap<number, string>;
}

/** The columns of a file. */
export interface ImportFields {
  readonly known: readonly string[];
  /** Each of these must be there, in one of its spellings. */
  readonly required: readonly (readonly string[])[];
}

/** One kind of record that can be taken over from a file: all that an import and a comparison know of it. */
export interface ImportKind<Row, NewRecord> {
  /** In the plural, as messages and reports call them. */
  readonly name: string;
  readonly table: string;
  readonly fields: ImportFields;
  /** Throws ValidationFailed that names every bad field, unknown ones too if `strict`. */
  read(values: Readonly<Record<string, unknown>>, strict: boolean): Row;
  /** What no two rows of a file may have in common: fields with their values. */
  uniqueIn(row: Row): readonly (readonly [field: string, value: string])[];
  /** The identifier that a row brings along. */
  idOf?(row: Row): number | undefined;
  /** Where rows need each other: asked once, with all of them. */
  arrange?(manager: EntityManager, rows: readonly Row[]): Promise<Arrangement>;
  /** Looks rows up; changes nothing. */
  find(manager: EntityManager, rows: readonly Row[]): Promise<Finding<NewRecord>[]>;
  /** Writes what was absent, all of it or nothing. */
  insert(manager: EntityManager, records: readonly NewRecord[]): Promise<void>;
  /** What becomes of a row whose record is there with other values: it is named as bad, or left as it is. */
  readonly whenDifferent: 'refuse' | 'keep';
}
