/** A client that takes less in the window than this reads slowly. */
const LEAST_BYTES = 256_000;

/** Milliseconds that are counted together, and of the longest window that is asked for. */
const SLOT = 250;
const LONGEST_WINDOW = 20_000;

/** How fast the client of a stream takes what is written. */
export class ReadingPace {
  private beganAt: number | undefined;
  /** Whether a piece waits for the client. Otherwise the client waits for the service. */
  private isOffered = false;
  /** What was taken, in the order of the slots. */
  private readonly slots: { readonly at: number; bytes: number }[] = [];

  /** The pieces of a stream, as their reader takes them. */
  async *measured(pieces: AsyncIterable<string>): AsyncGenerator<string, void> {
    for await (const piece of pieces) {
      this.beganAt ??= performance.now();
      this.isOffered = true;
      yield piece;
      this.isOffered = false;
      this.take(piece.length);
    }
  }

  /** Whether a piece waits, and the client has taken less than 256 kB in so many milliseconds. */
  isSlow(window: number): boolean {
    const from = performance.now() - window;
    if (!this.isOffered || this.beganAt === undefined || this.beganAt > from) return false;
    const bytes = this.slots.reduce((sum, slot) => (slot.at >= from ? sum + slot.bytes : sum), 0);
    return bytes < LEAST_BYTES;
  }

  private take(bytes: number): void {
    const now = performance.now();
    const last = this.slots.at(-1);
    if (last !== undefined && now - last.at < SLOT) {
      last.bytes += bytes;
      return;
    }
    this.slots.push({ at: now, bytes });
    while ((this.slots[0]?.at ?? now) < now - LONGEST_WINDOW) this.slots.shift();
  }
}
