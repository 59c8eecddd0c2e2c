import { type Variant, VARIANTS } from '../../../qa/variants';

/** `FULL=1`: tests that sample ask everything, as before a release (docs/release.md). */
export const IS_FULL = process.env['FULL'] === '1';

/** Where a test tries rules whose code all variants share: in the first one, or with `FULL=1` in all. */
export const SHARED_VARIANTS: readonly Variant[] = IS_FULL ? VARIANTS : VARIANTS.slice(0, 1);

/** How many of so many cases or rounds a run takes: a third, or all of them. */
export const sampled = (count: number): number => (IS_FULL ? count : Math.ceil(count / 3));
