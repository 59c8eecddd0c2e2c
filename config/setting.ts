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
  /** Description in Markdown for docs/settings.md. */
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

/** Rows by the names of their values; rows may be nested. */
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

/** Reads rows into `values`, in their order. `valueOf` reads one row and can use the values before it. */
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
