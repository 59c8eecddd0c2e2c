/** Most seconds that a receiver may ask for (rule events 34). */
const LONGEST = 86_400;

/** HTTP 429 and 503: the receiver wants messages later. */
const LATER: ReadonlySet<number> = new Set([429, 503]);

/** Seconds for which an answer asks with `Retry-After`, a number or a date (RFC 9110); 0 without one. */
export function secondsAskedFor(status: number, retryAfter = '', now = Date.now()): number {
  if (!LATER.has(status)) return 0;
  const text = retryAfter.trim();
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - now) / 1000);
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(seconds, 0), LONGEST);
}
