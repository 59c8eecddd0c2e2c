import type { VariantName } from '@app/config/settings';

/**
 * The wire variants that tests run against, and the one place that names them for `test/` and `qa/`.
 * To remove a variant, take it out of this line and delete its files (`*.variant-b.*`); its entries
 * in tables are then ignored.
 */
export const VARIANTS = ['A', 'B'] as const satisfies readonly VariantName[];

/** The name of a variant that is tested. */
export type Variant = (typeof VARIANTS)[number];

/**
 * What a test expects of each variant. A variant without an entry does not compile; the entry of a variant
 * that is no longer there is ignored, and can be taken away in peace.
 */
export type PerVariant<Value> = Readonly<Record<Variant, Value>> & { readonly [removed: string]: Value };

/** Whether lists take `tag`, which then selects nothing: nothing has a tag. Elsewhere it is ignored. */
export const TAKES_TAG: PerVariant<boolean> = { A: true, B: false };

const HAS_STATUS_CATEGORY: PerVariant<boolean> = { A: true, B: false };

/** The colour beside a status, in variants that show one. */
export const statusCategory = (variant: Variant, colour: string): { statusCategory?: string } =>
  HAS_STATUS_CATEGORY[variant] ? { statusCategory: colour } : {};

/**
 * The variant whose processes run beside those of Variant A, on one database: A
 * itself where there is no other.
 */
export const NEIGHBOUR: Variant = VARIANTS.at(-1) ?? VARIANTS[0];
