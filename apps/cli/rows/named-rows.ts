import type { Terminal } from '../terminal';
import type { SourceRecord } from './source-record';

/** Maximum rows in a report. Standard error has all of them. */
const MAX_REPORTED = 1000;

/** Reports rows of a file to a person, in the order of the file. */
export class NamedRows<Row extends { readonly record: SourceRecord }> {
  private waiting: Row[] = [];
  /** The first reported rows. */
  readonly reported: Row[] = [];

  constructor(
    private readonly terminal: Terminal,
    private readonly lineOf: (row: Row) => string,
  ) {}

  add(row: Row): void {
    this.waiting.push(row);
  }

  /** Reports and returns the rows up to a line, once all rows before it are known. */
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
