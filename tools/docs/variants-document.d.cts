import type { RuleOfOneVariant } from '@app/service/variants/rules.variant-b';
import type { Description } from './variants.cjs';

/** The text of docs/variants.md, before prettier. */
export function variantsDocument(
  descriptionA: Description,
  descriptionB: Description,
  rules: readonly RuleOfOneVariant[],
): string;
