/** A moment as the API writes it: Unix seconds, and an empty text where there is none. */
export const inUnixSeconds = (moment: unknown): unknown =>
  typeof moment === 'string' ? String(Math.floor(Date.parse(moment) / 1000)) : '';

/** How customers see changes of one table. Columns that are not listed are hidden. */
export interface AuditedTable {
  /** Name of the table in the API. */
  readonly kind: string;
  /** Columns that managers see, separated by spaces. */
  readonly shown: string;
  /** Columns that only admins see. */
  readonly adminOnly?: string;
  /** Internal columns, and columns that repeat another. */
  readonly hidden: string;
  /** Names in the API other than those of the columns in camel case, or `dtCreated` of `created_at`. */
  readonly names?: Readonly<Record<string, string>>;
  /** How the API writes the values of columns whose form differs. Each `…_at` is in Unix seconds. */
  readonly values?: Readonly<Record<string, (value: unknown) => unknown>>;
  /** Only databases of tests have rows, so the interface description leaves the kind out. */
  readonly isOfTests?: boolean;
}
