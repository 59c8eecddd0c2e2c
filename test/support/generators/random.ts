/** A small generator with a fixed seed (mulberry32), so that a failing run can be run again. */
export function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** One of the items, each as likely as the others. */
export const pickOf = <T>(random: (below: number) => number, from: readonly T[]): T =>
  from[random(from.length)] as T;
