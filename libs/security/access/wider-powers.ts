import { AddressList } from '@app/formats/ip-address';

/** What the holder of a key may do, or the receiver of a webhook is told. */
export interface Power {
  /** Each operation or kind of event by itself, without groups. */
  readonly words: ReadonlySet<string>;
  /** It holds beneath the organisation too. */
  readonly beneath: boolean;
  /** Canonical addresses and ranges from which it holds; empty for any. */
  readonly whitelist: readonly string[];
}

/**
 * Whether a changed key or webhook may more than before (rule keys 52, rule keys 55). Another spelling
 * of the same is no change.
 */
export const isWider = (before: Power, after: Power): boolean =>
  [...after.words].some((word) => !before.words.has(word)) ||
  (after.beneath && !before.beneath) ||
  isFromMore(before.whitelist, after.whitelist);

function isFromMore(before: readonly string[], after: readonly string[]): boolean {
  if (before.length === 0) return false;
  return after.length === 0 || !AddressList.of(before).covers(AddressList.of(after));
}
