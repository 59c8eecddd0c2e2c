import { RECORD_MAX_LENGTH } from './source-record';

/** A record of a csv file. */
export interface CellRecord {
  /** Where it begins. */
  readonly line: number;
  readonly cells: readonly string[];
  readonly fault?: string;
}

type State = 'cell start' | 'plain' | 'quoted' | 'quote in quoted';

/**
 * Reads csv (RFC 4180) as its text comes: cells with quotes may hold separators, quotes and line ends. Lines may end
 * with LF alone; empty lines count as nothing.
 */
export class CsvCells {
  private state: State = 'cell start';
  private cells: string[] = [];
  private cell = '';
  private fault: string | undefined;
  private line = 1;
  private recordLine = 1;
  private length = 0;
  private complete: CellRecord[] = [];

  constructor(private readonly separator: string) {}

  /** The records that the text completes. */
  push(text: string): CellRecord[] {
    for (const character of text) this.take(character);
    const records = this.complete;
    this.complete = [];
    return records;
  }

  /** What the file ends with, where that is no line end. */
  end(): CellRecord[] {
    if (this.state === 'quoted') this.fault = 'a quote is opened and never closed';
    if (this.length > 0) this.endRecord();
    return this.complete;
  }

  private take(character: string): void {
    if (character === '\n') this.line += 1;
    if (this.state === 'quoted') {
      this.length += 1;
      if (this.length > RECORD_MAX_LENGTH) this.giveUpRecord();
      else if (character === '"') this.state = 'quote in quoted';
      else this.cell += character;
      return;
    }
    if (character === '\n') return this.endRecord();
    this.length += 1;
    if (character === this.separator) return this.endCell();
    if (character === '"' && this.state !== 'plain') {
      if (this.state === 'quote in quoted') this.cell += character;
      this.state = 'quoted';
      return;
    }
    // CR belongs to the line end; a lone one within a line is as good as none.
    if (character === '\r') return;
    if (this.state === 'quote in quoted') this.fault = 'text follows a closing quote';
    this.state = 'plain';
    if (this.length <= RECORD_MAX_LENGTH) this.cell += character;
    else this.fault = `it is longer than ${RECORD_MAX_LENGTH} characters`;
  }

  private endCell(): void {
    this.cells.push(this.cell);
    this.cell = '';
    this.state = 'cell start';
  }

  private endRecord(): void {
    const isEmpty = this.cells.length === 0 && this.cell === '' && this.state !== 'quote in quoted';
    this.endCell();
    if (!isEmpty || this.fault !== undefined) {
      this.complete.push({ line: this.recordLine, cells: this.cells, fault: this.fault });
    }
    this.cells = [];
    this.fault = undefined;
    this.length = 0;
    this.recordLine = this.line;
  }

  /** The quote was hardly meant: reading goes on after the line where the patience ended. */
  private giveUpRecord(): void {
    this.fault = `a quote is not closed within ${RECORD_MAX_LENGTH} characters`;
    this.cell = '';
    this.state = 'plain';
  }
}
