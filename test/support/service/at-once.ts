/**
 * Makes so many calls at the same time, each with its number from 0.
 * @returns what they answer, in the order of their numbers
 */
export const atOnce = <T>(count: number, call: (index: number) => PromiseLike<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => call(index)));
