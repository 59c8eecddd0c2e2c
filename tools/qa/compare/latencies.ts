/** Each step is 2 % above the one before, from a tenth of a millisecond. */
const STEP = Math.log(1.02);
const LEAST = 0.1;

/** Times of requests in buckets, so that a million of them take no more memory than ten. */
export class Latencies {
  private readonly counts: Map<number, number>;
  private total = 0;

  constructor(counts: readonly (readonly [number, number])[] = []) {
    this.counts = new Map(counts);
    for (const [, count] of counts) this.total += count;
  }

  toJSON(): [number, number][] {
    return [...this.counts];
  }

  add(milliseconds: number): void {
    const bucket = Math.round(Math.log(Math.max(milliseconds, LEAST) / LEAST) / STEP);
    this.counts.set(bucket, (this.counts.get(bucket) ?? 0) + 1);
    this.total += 1;
  }

  /** The time that this part of the requests did not exceed; nothing without a request. */
  percentile(part: number): number | null {
    let left = Math.ceil(this.total * part);
    for (const [bucket, count] of [...this.counts].sort(([one], [other]) => one - other)) {
      left -= count;
      if (left <= 0) return Math.round(LEAST * Math.exp(bucket * STEP) * 10) / 10;
    }
    return null;
  }
}
