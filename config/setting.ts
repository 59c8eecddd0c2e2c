/** Reads the text of a setting. Throws an error that says which values are allowed. */
export type Parse<T> = (text: string) => T;

/** Settings on which defaults of later settings depend. The table has them first. */
export interface SettingsBefore {
  readonly port: number;
  readonly publicUrl: string;
  readonly pages: boolean;
}

/** A row of the table: one setting of the operator. */
export interface Setting<T> {
  readonly name: string;
  readonly parse: Parse<T>;
  /** The default in the syntax of the setting. */
  readonly fallback?: string | ((before: SettingsBefore) => string);
  /** The value if the setting is absent and has no default. */
  readonly absent?: T;
  /**
   * Description in Markdown for docs/settings.md. Its first clause, up to a semicolon, stands alone in
   * shorter lists.
   */
  readonly words: string;
  readonly notes: SettingNotes;
}

interface SettingNotes {
  /** Start-up errors do not repeat its value, because they end up in logs. */
  readonly secret?: true;
  /** Text for docs/settings.md instead of the default. */
  readonly instead?: string;
  /** The value in .env.example; without it the setting is not listed there. */
  readonly example?: string;
  /**
   * The value of a first deployment: the setting is one of the few that README.md, docs/operations.md and the
   * examples of systemd and Kubernetes show. In parentheses it tells how to make a secret, which they leave
   * empty.
   */
  readonly deployment?: string;
  /** The value in pods, where it differs. */
  readonly inPods?: string;
  /** An additional sentence for .env.example. */
  readonly hint?: string;
}

/** A setting with a default, possibly derived from earlier settings. */
export const setting = <T>(
  name: string,
  parse: Parse<T>,
  fallback: string | ((before: SettingsBefore) => string),
  words: string,
  notes: SettingNotes = {},
): Setting<T> => ({ name, parse, fallback, words, notes });

/** A setting that is undefined if it is absent. */
export const optional = <T>(
  name: string,
  parse: Parse<T>,
  words: string,
  notes: SettingNotes = {},
): Setting<T | undefined> => ({ name, parse, absent: undefined, words, notes });

/** A setting that adds something; if it is absent, `absent` applies. */
export const addition = <T>(
  name: string,
  parse: Parse<T>,
  absent: T,
  words: string,
  notes: SettingNotes = {},
): Setting<T> => ({ name, parse, absent, words, notes });

/** Settings that make one value together. */
export interface Combination<T> {
  readonly rows: Rows;
  /** `given` has the text of a setting, empty if it is absent. */
  readonly combine: (
    values: Readonly<Record<string, unknown>>,
    given: (name: string) => string,
  ) => Combined<T>;
}

interface Combined<T> {
  readonly value: T;
  /** What is wrong with the settings together, if anything. */
  readonly fault: string | undefined;
}

/** Rows by the names of their values; rows may be nested. */
export interface Rows {
  readonly [key: string]: Setting<unknown> | Combination<unknown> | Rows;
}

/** The values of rows. */
export type ValuesOf<R> = {
  readonly [K in keyof R]: R[K] extends Setting<infer T> | Combination<infer T> ? T : ValuesOf<R[K]>;
};

type Row = Rows[string];

const isSetting = (row: Row): row is Setting<unknown> => 'parse' in row && typeof row.parse === 'function';

const isCombination = (row: Row): row is Combination<unknown> =>
  'combine' in row && typeof row.combine === 'function';

export const settingsIn = (rows: Rows): Setting<unknown>[] =>
  Object.values(rows).flatMap((row) => {
    if (isSetting(row)) return [row];
    return settingsIn(isCombination(row) ? row.rows : row);
  });

/** How rows are read. */
interface Reading {
  /** Reads one row, and can use the values before it. */
  readonly valueOf: (row: Setting<unknown>) => unknown;
  readonly given: (name: string) => string;
  readonly refuse: (fault: string) => void;
}

/** Reads rows into `values`, in their order. */
export function readRows(rows: Rows, reading: Reading, values: Record<string, unknown>): void {
  for (const [key, row] of Object.entries(rows)) {
    if (isSetting(row)) values[key] = reading.valueOf(row);
    else if (isCombination(row)) values[key] = readTogether(row, reading);
    else readRows(row, reading, (values[key] = {}));
  }
}

function readTogether({ rows, combine }: Combination<unknown>, reading: Reading): unknown {
  const values = {};
  readRows(rows, reading, values);
  const { value, fault } = combine(values, reading.given);
  if (fault !== undefined) reading.refuse(fault);
  return value;
}
