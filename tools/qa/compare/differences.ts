import type { ServerAddress } from './addresses';
import { canonical, type Exact, ExactNumber, isList, isObject, typeOf } from './exact-json';
import type { Identifiers } from './identifiers';
import { identifierOf, matched } from './lists';
import { shownOrder, shownText, shownValue } from './masks';
import { isNoise, isNumberNoise, type NoiseRules } from './noise';
import { looksSecret, tellingName } from './secrets';

export type Kind = 'status' | 'header' | 'type' | 'value' | 'absent' | 'added' | 'order' | 'body' | 'slow';

/** A difference between two answers. */
export interface Found {
  readonly kind: Kind;
  /** The place as reports show it: `$.users[].dtCreated`, a header, or nothing for the status. */
  readonly at: string;
  /** The place in the old answer, with the positions of items. */
  readonly place: string;
  /** Values of both sides, as reports may show them. */
  readonly old: unknown;
  readonly new: unknown;
}

export interface Rules extends NoiseRules {
  readonly identifiers: Identifiers;
  /** Whether reports show what texts say. */
  readonly values: boolean;
  /** Where the servers are, whose links to themselves are the same. */
  readonly old: ServerAddress;
  readonly new: ServerAddress;
}

export interface Comparison {
  readonly differences: readonly Found[];
  /** Whether known noise was passed over. */
  readonly isNoisy: boolean;
}

/** Compares two bodies: everything counts but the order of keys, known noise and mapped identifiers. */
export function compareBodies(old: Exact, fresh: Exact, rules: Rules): Comparison {
  const comparer = new BodyComparer(rules);
  comparer.compare(old, fresh, ROOT);
  return comparer;
}

/** Where a value stands. */
interface Place {
  readonly at: string;
  readonly place: string;
  readonly name: string;
  /** The name of what it stands in. */
  readonly around: string;
}

const ROOT: Place = { at: '$', place: '$', name: '', around: '' };

/** Differences of one answer; a report shows each kind once. */
const MOST_FOUND = 1000;

class BodyComparer implements Comparison {
  readonly differences: Found[] = [];
  isNoisy = false;

  constructor(private readonly rules: Rules) {}

  compare(old: Exact, fresh: Exact, where: Place): void {
    if (this.differences.length >= MOST_FOUND) return;
    const type = typeOf(old);
    if (type !== typeOf(fresh)) return this.found('type', where, old, fresh);
    if (isList(old) && isList(fresh)) this.compareLists(old, fresh, where);
    else if (isObject(old) && isObject(fresh)) this.compareObjects(old, fresh, where);
    else this.compareScalars(old, fresh, where);
  }

  private compareScalars(old: Exact, fresh: Exact, where: Place): void {
    if (old === fresh) return;
    if (old instanceof ExactNumber || fresh instanceof ExactNumber) {
      if (canonical(old) !== canonical(fresh)) this.found('value', where, old, fresh);
      return;
    }
    const { name, around } = where;
    if (this.rules.identifiers.isPair(old, fresh, name, around)) return;
    if (typeof old === 'string' && typeof fresh === 'string' && this.isOwnLink(old, fresh)) return;
    const isKnown =
      (typeof old === 'string' && typeof fresh === 'string' && isNoise(old, fresh, name, this.rules)) ||
      (typeof old === 'number' && typeof fresh === 'number' && isNumberNoise(old, fresh, name, this.rules));
    if (isKnown) this.isNoisy = true;
    else this.found('value', where, old, fresh);
  }

  private isOwnLink(old: string, fresh: string): boolean {
    const { identifiers } = this.rules;
    const [before, after] = [this.rules.old.linkIn(old), this.rules.new.linkIn(fresh)];
    return before !== undefined && (before === after || identifiers.pathOnNew(before) === after);
  }

  private compareObjects(
    old: Readonly<Record<string, Exact>>,
    fresh: Readonly<Record<string, Exact>>,
    where: Place,
  ): void {
    for (const [name, value] of Object.entries(old)) {
      const inside = member(where, name);
      const other = Object.hasOwn(fresh, name) ? fresh[name] : undefined;
      if (other === undefined) this.found('absent', inside, value, undefined);
      else this.compare(value, other, inside);
    }
    for (const [name, value] of Object.entries(fresh)) {
      if (!Object.hasOwn(old, name)) this.found('added', member(where, name), undefined, value);
    }
  }

  private compareLists(old: readonly Exact[], fresh: readonly Exact[], where: Place): void {
    const { name } = where;
    const { pairs, absent, added, isReordered } = matched(old, fresh, [
      (item) => this.identity(this.onNew(item, name), name),
      (item) => this.identity(item, name),
    ]);
    if (isReordered && this.rules.isUnordered) this.isNoisy = true;
    else if (isReordered)
      this.push('order', where, shownOrder(old, this.rules.values), shownOrder(fresh, this.rules.values));
    for (const [index, other] of pairs) {
      this.compare(old[index] ?? null, fresh[other] ?? null, itemOf(where, String(index)));
    }
    for (const index of absent) this.found('absent', itemOf(where, String(index)), old[index], undefined);
    // Such an item has no position in the old answer.
    for (const index of added) this.found('added', itemOf(where, '+'), undefined, fresh[index]);
  }

  /** A record with the identifier that it has on the new side. */
  private onNew(item: Exact, list: string): Exact {
    const { identifiers } = this.rules;
    if (!isObject(item)) return identifiers.identifierOnNew(item, list, '');
    const { id } = item;
    return id === undefined ? item : { ...item, id: identifiers.identifierOnNew(id, 'id', list) };
  }

  /** What makes an item the same on both sides: its identifier, or all of it but noise. */
  private identity(item: Exact, list: string): string {
    const identifier = identifierOf(item);
    return identifier === undefined ? canonical(withoutNoise(item, list, this.rules)) : `id ${identifier}`;
  }

  private found(kind: Kind, where: Place, old: Exact | undefined, fresh: Exact | undefined): void {
    const name = tellingName(where.name, where.around);
    const { values } = this.rules;
    this.push(kind, where, shownValue(old, name, values), shownValue(fresh, name, values));
  }

  private push(kind: Kind, { at, place }: Place, old: unknown, fresh: unknown): void {
    if (this.differences.length < MOST_FOUND) this.differences.push({ kind, at, place, old, new: fresh });
  }
}

/** Separates the parts of a place. */
const PART = '\u0000';

const NAME = /^[A-Za-z_$][\w$]*$/;

const member = ({ at, place, name }: Place, key: string): Place => ({
  at: NAME.test(key) && !looksSecret(key) ? `${at}.${key}` : `${at}[${JSON.stringify(shownText(key))}]`,
  place: `${place}${PART}.${key}`,
  name: key,
  around: name,
});

const itemOf = ({ at, place, name, around }: Place, position: string): Place => ({
  at: `${at}[]`,
  place: `${place}${PART}${position}`,
  name,
  around,
});

/** The value with all moments, hashes and tokens replaced by their form. */
function withoutNoise(value: Exact, name: string, rules: NoiseRules): Exact {
  if (isList(value)) return value.map((item) => withoutNoise(item, name, rules));
  if (isObject(value)) {
    const fields = Object.entries(value);
    return Object.fromEntries(fields.map(([key, field]) => [key, withoutNoise(field, key, rules)]));
  }
  if (typeof value !== 'string') return value;
  return isNoise(value, value, name, rules) ? value.replaceAll(/\w/g, '0') : value;
}

/** Whether what one side answers differently from time to time excuses a difference at this place. */
const excuses = (noise: Found, { kind, place }: Found): boolean => {
  if (noise.kind === 'value') return noise.place === place && kind === 'value';
  if (noise.kind === 'order') return noise.place === place && kind === 'order';
  return place === noise.place || place.startsWith(`${noise.place}${PART}`) || noise.kind === 'status';
};

/** The differences that the old server does not show between two answers of its own. */
export const withoutOwnNoise = (differences: readonly Found[], noise: readonly Found[]): Found[] =>
  differences.filter((difference) => !noise.some((one) => excuses(one, difference)));
