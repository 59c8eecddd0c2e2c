/** Reads the text of a setting. Throws an error that says what it must be. */
export type Parse<T> = (text: string) => T;

/** Settings that defaults of later settings depend on: the table has them first. */
export interface SettingsBefore {
  readonly port: number;
  readonly publicUrl: string;
  readonly pages: boolean;
  readonly trustedProxies: readonly string[];
}

/** A row of the table: a setting of the operator. */
export interface Setting<T> {
  readonly name: string;
  readonly parse: Parse<T>;
  /** In the words of an operator. */
  readonly fallback?: string | ((before: SettingsBefore) => string);
  /** The value of a setting without a default that is not set. */
  readonly absent?: T;
  /** Markdown for docs/settings.md. */
  readonly words: string;
  readonly notes: SettingNotes;
}

interface SettingNotes {
  /** Start-up errors end up in logs: they do not repeat its value. */
  readonly secret?: true;
  /** Words of docs/settings.md in place of the default. */
  readonly instead?: string;
  /** The value in .env.example, which has no line without one. */
  readonly example?: string;
  /** A further sentence of .env.example. */
  readonly hint?: string;
}

/** A setting with a default, or with one that follows from settings before it. */
export const setting = <T>(
  name: string,
  parse: Parse<T>,
  fallback: string | ((before: SettingsBefore) => string),
  words: string,
  notes: SettingNotes = {},
): Setting<T> => ({ name, parse, fallback, words, notes });

/** A setting that is undefined where it is not set. */
export const optional = <T>(
  name: string,
  parse: Parse<T>,
  words: string,
  notes: SettingNotes = {},
): Setting<T | undefined> => ({ name, parse, absent: undefined, words, notes });

/** A setting that allows something, or adds to it; without it `absent` counts. */
export const addition = <T>(
  name: string,
  parse: Parse<T>,
  absent: T,
  words: string,
  notes: SettingNotes = {},
): Setting<T> => ({ name, parse, absent, words, notes });

/** Rows by the names of their values; some are grouped. */
export interface Rows {
  readonly [key: string]: Setting<unknown> | Rows;
}

/** The values of rows. */
export type ValuesOf<R> = {
  readonly [K in keyof R]: R[K] extends Setting<infer T> ? T : ValuesOf<R[K]>;
};

const isSetting = (row: Setting<unknown> | Rows): row is Setting<unknown> =>
  typeof row['parse'] === 'function';

export const settingsIn = (rows: Rows): Setting<unknown>[] =>
  Object.values(rows).flatMap((row) => (isSetting(row) ? [row] : settingsIn(row)));

/** Reads rows into `values`, in their order. `valueOf` reads one, and knows the values before it. */
export function readRows(
  rows: Rows,
  valueOf: (row: Setting<unknown>) => unknown,
  values: Record<string, unknown>,
): void {
  for (const [key, row] of Object.entries(rows)) {
    if (isSetting(row)) values[key] = valueOf(row);
    else readRows(row, valueOf, (values[key] = {}));
  }
}
