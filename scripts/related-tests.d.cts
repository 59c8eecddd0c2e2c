export interface RelatedTests {
  /** For CONTRIBUTING.md. */
  readonly what: string;
  /** Of the path of a changed file. */
  readonly changed: RegExp;
  readonly tests: readonly string[];
}

export const RELATED_TESTS: readonly RelatedTests[];

/** The tests of all rows that one of these paths meets, each once. */
export function relatedTo(changed: readonly string[]): readonly string[];
