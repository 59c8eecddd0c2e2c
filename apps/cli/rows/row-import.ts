import type { EntityManager } from 'typeorm';
import type { Arrangement, Finding, ImportFields } from '@app/core/imports/import-kind';
import type { Database } from '../database';
import type { Terminal } from '../terminal';
import type { SourceFile } from './source-file';

/** What became of one row; `kept` was there already. */
export type RowVerdict = 'stored' | 'kept' | { readonly error: string };

/** A row with the line that it begins on. */
export interface Numbered<Row> {
  readonly line: number;
  readonly row: Row;
}

/** How the rows of one kind of file are read, compared with the database and taken over. */
export interface RowImport<Row> {
  readonly fields: ImportFields;
  /** Throws ValidationFailed, for unknown fields too if `strict`. */
  read(values: Readonly<Record<string, unknown>>, strict: boolean): Row;
  /** What no two rows of a file may have in common. */
  uniqueIn?(row: Row): readonly (readonly [field: string, value: string])[];
  /** Where rows need each other: asked once, with all of them. */
  arrange?(manager: EntityManager, rows: readonly Row[]): Promise<Arrangement>;
  /** Outside of a transaction, before rows are stored: batch by batch, or with all rows where they are arranged. */
  prepare?(database: Database, rows: readonly Row[]): Promise<void>;
  /** Looks rows up; changes nothing. */
  find(manager: EntityManager, rows: readonly Row[]): Promise<Finding[]>;
  /** Writes a batch, and gives a verdict on each row, in order. */
  store(manager: EntityManager, rows: readonly Row[]): Promise<RowVerdict[]>;
}

/** What goes through a file. */
export interface FileRun {
  readonly database: Database;
  readonly file: SourceFile;
  readonly terminal: Terminal;
  /** Whether columns and fields that are not known are left out instead of refused. */
  readonly ignoreUnknown: boolean;
  /** Ends the work after the batch in hand. */
  readonly signal: AbortSignal;
}

export interface ImportRun extends FileRun {
  readonly isTrial: boolean;
}
