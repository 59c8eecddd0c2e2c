/**
 * A client's list or object, behind a function. class-transformer would walk through it, and construct
 * whatever a field `constructor` in it holds; functions it hands on as they are. Other values stay.
 */
export const enclosed = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? () => value : value;

/** The value behind the function of {@link enclosed}. JSON has no functions. */
export const disclosed = (value: unknown): unknown =>
  typeof value === 'function' ? (value as () => unknown)() : value;
