/** A value of a metric and the labels that it stands under. */
export type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];

/** A metric whose values are read when somebody scrapes. */
export interface Read<Source> {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
  readonly samples: (source: Source) => readonly Sample[];
}
