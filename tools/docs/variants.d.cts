import type { RuleOfOneVariant } from '@app/service/variants/rules.variant-b';

/** A description of the interface, as docs/openapi-a.json holds one. */
export type Description = object;

export interface OperationName {
  readonly operation: string;
  readonly summary: string;
}

export interface VariantComparison {
  readonly onlyA: readonly OperationName[];
  readonly onlyB: readonly OperationName[];
  readonly changed: readonly OperationName[];
  readonly same: readonly string[];
}

/**
 * What exists in one variant alone, and what of the rest a client must change. `rules` are those that the shapes do
 * not show.
 */
export function compareVariants(
  descriptionA: Description,
  descriptionB: Description,
  rules: readonly RuleOfOneVariant[],
): VariantComparison;

/** The content of apps/cli/variants/variant-b/variant-differences.json. */
export function usedOnlyInB(comparison: VariantComparison): object;
