/** The test files of all words, each once, and the words that mean no test. */
export function chosenTests(words: readonly string[]): {
  readonly tests: readonly string[];
  readonly unknown: readonly string[];
};
