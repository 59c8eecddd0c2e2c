import type { Terminal } from '../terminal';
import type { SourceRecord } from './source-record';

/** Rows that a report names; standard error has them all. */
const MAX_REPORTED = 1000;

/** Names rows of a file to a person, in the order of the file. */
export class NamedRows<Row extends { readonly record: SourceRecord }> {
  private waiting: Row[] = [];
  /** The first rows that were named, for a report. */
  readonly reported: Row[] = [];

  constructor(
    private readonly terminal: Terminal,
    private readonly lineOf: (row: Row) => string,
  ) {}

  add(row: Row): void {
    this.waiting.push(row);
  }

  /** Names and returns the rows up to a line: every row before it is known. */
  name(upTo = Number.POSITIVE_INFINITY): readonly Row[] {
    const named = this.waiting
      .filter(({ record }) => record.line <= upTo)
      .sort((one, other) => one.record.line - other.record.line);
    this.waiting = this.waiting.filter(({ record }) => record.line > upTo);
    for (const row of named) {
      if (this.reported.length < MAX_REPORTED) this.reported.push(row);
      this.terminal.say(this.lineOf(row));
    }
    return named;
  }
}
