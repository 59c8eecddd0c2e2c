/** A check by `cli verify` of data that is stored twice or must agree in several rows. */
export interface DataCheck {
  readonly name: string;
  /** The finding in one line, and what to do if no repair exists. */
  readonly finds: string;
  /** The finding may be older than the rule, and is then acceptable. */
  readonly mayStay?: boolean;
  /** A fast query: if it returns no row, nothing can be wrong and `wrong` does not run. */
  readonly suspect?: string;
  /** Query with one row for each wrong record; the column `example` names it. */
  readonly wrong: string;
  /** Statements that repair everything, in one transaction. */
  readonly repair?: readonly string[];
}
