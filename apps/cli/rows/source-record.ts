/** One record of a file: its fields by name, or why it can not be read. */
export type SourceRecord = {
  /** Where it begins, counted from 1 as editors do. */
  readonly line: number;
} & ({ readonly values: Readonly<Record<string, unknown>> } | { readonly error: string });

/** Most characters of one record: a quote that is never closed must not take the rest of the file into memory. */
export const RECORD_MAX_LENGTH = 1_000_000;

export const TOO_LONG = `it is longer than ${RECORD_MAX_LENGTH} characters`;

/** What bytes that are no UTF-8 are decoded to. */
const REPLACEMENT_CHARACTER = '\uFFFD';

export const NOT_UTF8 = 'it is not UTF-8';

export const isUtf8 = (text: string): boolean => !text.includes(REPLACEMENT_CHARACTER);
