/**
 * A statement with the type of its rows. One with a name is prepared once on each connection and
 * takes 100 kB or more there.
 */
export interface Statement<Row = never> {
  readonly name?: string;
  readonly text: string;
  /** See {@link KeyStatement}. */
  readonly isByKey?: true;
  /** Only for the compiler; it has no value. */
  readonly row?: Row;
}

export interface PreparedStatement<Row = never> extends Statement<Row> {
  readonly name: string;
}

/** A few rows by key: takes no lock and is always fast, so no long work shares its connections. */
export interface KeyStatement<Row = never> extends PreparedStatement<Row> {
  readonly isByKey: true;
}
