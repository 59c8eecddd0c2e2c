/** A value of a metric with its labels. */
export type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];

/** A metric that is read at each scrape. */
export interface Read<Source> {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
  readonly samples: (source: Source) => readonly Sample[];
}

/** Metrics of a table. One statement reads those of all tables. */
export interface TableGauges<Figures = never> {
  /** A SELECT of one row. It counts at most `most` rows of the table, so that a scrape stays cheap. */
  readonly counted: (most: number) => string;
  readonly reads: readonly Read<Figures>[];
}
