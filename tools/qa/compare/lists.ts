import { canonical, type Exact, isList, isObject } from './exact-json';

/** How the items of two lists belong together, by their positions. */
export interface Matching {
  readonly pairs: readonly (readonly [old: number, fresh: number])[];
  readonly absent: readonly number[];
  readonly added: readonly number[];
  /** Whether items that both lists have stand in another order. */
  readonly isReordered: boolean;
}

type Identity = (item: Exact) => string;

/**
 * Matches the items of two lists: records by their identifier, others by their value. What is left belongs
 * together in its order where it is alike.
 */
export function matched(
  old: readonly Exact[],
  fresh: readonly Exact[],
  identities: readonly [Identity, Identity],
): Matching {
  const [oldIdentity, freshIdentity] = identities;
  const places = new Map<string, number[]>();
  for (const [index, item] of fresh.entries()) {
    const identity = freshIdentity(item);
    const known = places.get(identity);
    if (known === undefined) places.set(identity, [index]);
    else known.push(index);
  }
  const pairs: (readonly [number, number])[] = [];
  const oldLeft: number[] = [];
  const taken = new Set<number>();
  for (const [index, item] of old.entries()) {
    const place = places.get(oldIdentity(item))?.shift();
    if (place === undefined) oldLeft.push(index);
    else {
      pairs.push([index, place]);
      taken.add(place);
    }
  }
  const freshLeft = fresh.map((_, index) => index).filter((index) => !taken.has(index));
  const isReordered = pairs.some(([, place], index) => index > 0 && place < (pairs[index - 1]?.[1] ?? 0));
  const rest = pairsOfRest(old, fresh, oldLeft, freshLeft);
  const [oldPaired, freshPaired] = [0, 1].map((side) => new Set(rest.map((pair) => pair[side])));
  return {
    pairs: [...pairs, ...rest].sort(([one], [other]) => one - other),
    absent: oldLeft.filter((index) => oldPaired?.has(index) !== true),
    added: freshLeft.filter((index) => freshPaired?.has(index) !== true),
    isReordered,
  };
}

/** Items without a counterpart: as many on both sides, or records that are mostly the same. */
function pairsOfRest(
  old: readonly Exact[],
  fresh: readonly Exact[],
  oldLeft: readonly number[],
  freshLeft: readonly number[],
): (readonly [number, number])[] {
  const pairs: (readonly [number, number])[] = [];
  const isSameNumber = oldLeft.length === freshLeft.length;
  for (const [index, place] of oldLeft.slice(0, freshLeft.length).entries()) {
    const other = freshLeft[index] ?? 0;
    if (belongTogether(old[place] ?? null, fresh[other] ?? null, isSameNumber)) pairs.push([place, other]);
  }
  return pairs;
}

function belongTogether(old: Exact, fresh: Exact, isSameNumber: boolean): boolean {
  if (!isObject(old) || !isObject(fresh)) return isSameNumber;
  if (identifierOf(old) === undefined || identifierOf(fresh) === undefined) return isSameNumber;
  const names = Object.keys(old).filter((name) => name !== 'id');
  const same = names.filter((name) => canonical(old[name] ?? null) === canonical(fresh[name] ?? null));
  return same.length * 2 > names.length;
}

/** The identifier of a record, as text: a number that became a text is a difference of its own. */
export function identifierOf(item: Exact): string | undefined {
  if (!isObject(item)) return undefined;
  const { id } = item;
  return id === undefined || id === null || isList(id) || isObject(id) || id === ''
    ? undefined
    : canonicalId(id);
}

const canonicalId = (id: Exact): string => (typeof id === 'string' ? id : canonical(id));
