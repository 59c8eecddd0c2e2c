import type { Bucket } from './throttler';

/** Subjects that are remembered; past them an attack is no harder to see. */
const MAX_REMEMBERED = 10_000;

/** Which names, networks and users this process has turned away, for as long as each has to wait. */
export class RefusedSubjects {
  /** The end of the wait, by kind and subject, in the order of their refusals. */
  private readonly ends = new Map<string, { readonly kind: string; readonly end: number }>();

  /** The last part of a bucket is whom it counts: of guesses the name, wherever they come from. */
  note(bucket: Bucket, waitSeconds: number): void {
    const [kind] = bucket;
    const key = JSON.stringify([kind, bucket.at(-1)]);
    this.ends.delete(key);
    this.ends.set(key, { kind, end: Date.now() + waitSeconds * 1000 });
    const [oldest] = this.ends.keys();
    if (this.ends.size > MAX_REMEMBERED && oldest !== undefined) this.ends.delete(oldest);
  }

  /** How many wait at the moment, by kind. */
  counts(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const [key, { kind, end }] of this.ends) {
      if (end <= Date.now()) this.ends.delete(key);
      else counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
    return counts;
  }
}
