/** Milliseconds between two drawings of the progress bar. */
const REDRAW_INTERVAL = 200;
const BAR_WIDTH = 30;
const CLEAR_LINE = '\r\x1b[2K';

/** Says things on standard error, where they never mix with results, and draws a progress bar if that is a terminal. */
export class Terminal {
  private bar = '';
  private drawnAt = 0;

  constructor(private readonly stream: NodeJS.WriteStream = process.stderr) {}

  /** One line; the bar, if there is one, moves down. */
  say(line: string): void {
    if (this.bar === '') this.stream.write(`${line}\n`);
    else this.stream.write(`${CLEAR_LINE}${line}\n${this.bar}`);
  }

  /** @param share from 0 to 1 */
  progress(share: number, text: string): void {
    if (!this.stream.isTTY || Date.now() - this.drawnAt < REDRAW_INTERVAL) return;
    this.drawnAt = Date.now();
    const full = Math.round(Math.min(1, share) * BAR_WIDTH);
    const percent = `${Math.floor(Math.min(1, share) * 100)}%`.padStart(4);
    this.bar = `[${'='.repeat(full)}${' '.repeat(BAR_WIDTH - full)}]${percent}  ${text}`;
    this.stream.write(CLEAR_LINE + this.bar);
  }

  endProgress(): void {
    if (this.bar !== '') this.stream.write(CLEAR_LINE);
    this.bar = '';
  }
}
