import { type PerVariant, type Variant, VARIANTS } from '../../../qa/variants';

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
