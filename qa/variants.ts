/**
 * The wire variants that tests run against, and the one place that names them for `test`, `tools` and `qa`.
 * To remove a variant, take it out of this line and delete its files (`*.variant-b.*`); its entries
 * in tables are then ignored.
 */
export const VARIANTS = ['A', 'B'] as const;

/** The name of a variant that is tested. */
export type Variant = (typeof VARIANTS)[number];

/**
 * What a test expects of each variant. A variant without an entry does not compile; the entry of a variant
 * that is no longer there is ignored, and can be taken away in peace.
 */
export type PerVariant<Value> = Readonly<Record<Variant, Value>> & { readonly [removed: string]: Value };
