/** What a domain is known by, beside its files. */
export interface GoneDomain {
  /** Whether an import leads to what is gone: the question for each name, and `*` for the whole file. */
  isGone(target: string): (name: string) => boolean;
  /** Names of rows that go from this file. */
  readonly words: readonly string[];
  /** An operation of the domain. */
  isOf(text: string): boolean;
  /** SQL about a table of the domain. */
  isQuery(text: string): boolean;
  /** In tests, a path of the domain or SQL about its tables. */
  isUsedBy(text: string): boolean;
  /** In tests, a row of a list of tables. */
  lists(text: string): boolean;
}

export class PrunedFile {
  constructor(path: string, text: string, domain: GoneDomain);
  readonly text: string;
  /** Uses outside a list, by their lines. */
  readonly problems: readonly string[];
  /** How many rows went. */
  readonly rows: number;
  /** No test is left in a file of tests. */
  readonly isEmpty: boolean;
  prune(): void;
}
