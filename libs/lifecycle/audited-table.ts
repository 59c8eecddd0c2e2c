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
  /** Names in the API that are not the name of their column in camel case. */
  readonly names?: Readonly<Record<string, string>>;
  /** Only databases of tests have rows, so the interface description leaves the kind out. */
  readonly isOfTests?: boolean;
}
