/**
 * What `cli after-restore` does with rows that a restored database has as the backup had them: what was
 * used, replaced or withdrawn since works again. Or in words why nothing is to do.
 */
export type AfterRestore = EndedByRestore | KeptByRestore | string;

/** Rows that end, because their owners easily get new ones. */
export interface EndedByRestore {
  /** Name in the report of the command. */
  readonly ends: string;
  /** Whether they are deleted, or only set `ended_at`. */
  readonly by: 'deletion' | 'end';
}

/** Rows that stay. The command counts them. */
export interface KeptByRestore {
  /** Names in the report, each with the SQL condition of the rows that it counts. */
  readonly keeps: Readonly<Record<string, string>>;
  readonly lists?: RestoredList;
}

/** Rows that the command also lists, because the operator has to look at each. */
export interface RestoredList {
  /** Name in the report. */
  readonly name: string;
  readonly statement: string;
  /** The heads of the columns in the list for people, and the cells of a row. */
  readonly head: readonly string[];
  readonly cells: (row: never) => readonly (string | number | Date)[];
}
