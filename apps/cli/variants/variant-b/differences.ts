import differences from './variant-differences.json';

/** How an operation of Variant B differs in Variant A; made by `npm run docs`. */
interface StoredDifference {
  readonly route?: boolean;
  readonly onlyInB?: readonly string[];
  readonly otherwise?: readonly string[];
}

/** How an operation of Variant B differs in Variant A. */
interface OperationDifference {
  /** Whether the route is missing in Variant A. */
  readonly isOnlyInB: boolean;
  /** Whether the operation works unchanged in Variant A. */
  readonly isSame: boolean;
  /** The difference for people. */
  readonly words: string;
}

const DIFFERENCES: Readonly<Record<string, StoredDifference>> = differences;

export function differenceOf(operation: string): OperationDifference {
  const { route: isOnlyInB = false, onlyInB = [], otherwise = [] } = DIFFERENCES[operation] ?? {};
  if (isOnlyInB) return { isOnlyInB, isSame: false, words: 'not there' };
  const parts = [
    ...(onlyInB.length > 0 ? [`without ${onlyInB.join(', ')}`] : []),
    ...(otherwise.length > 0 ? [`other: ${otherwise.join(', ')}`] : []),
  ];
  const isSame = parts.length === 0;
  return { isOnlyInB, isSame, words: isSame ? 'the same, or more' : parts.join('; ') };
}
