/** How a list that belongs to a record is read where it is too long to be held. */
export interface ListReading<Item> {
  /** How many items are held. */
  readonly held: number;
  /** The items that follow one of them, in batches; none at the end. */
  after(last: Item): Promise<readonly Item[]>;
  count(): Promise<number>;
}

let made = 0;

/** How many long lists there have been: whether some came meanwhile is known without looking for them. */
export const longListsMade = (): number => made;

/** While JSON is written: the long lists that it has met. */
let met: LongList<unknown>[] | undefined;

/** PostgreSQL stores no text with a NUL, so that no text of a response is one of these. */
const placeOf = (index: number): string => `\0long list ${index}`;

/**
 * A list that belongs to a record and is too long to be held: an array of its first items, which knows how to read the
 * others. What is written of it is mapped like any array; JSON and csv then write the rest bit by bit.
 */
export class LongList<Item> extends Array<Item> {
  /** What makes new arrays of this one makes plain ones. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }

  readonly #following: () => AsyncGenerator<readonly Item[]>;
  readonly #count: () => Promise<number>;

  constructor(
    held: readonly Item[],
    following: () => AsyncGenerator<readonly Item[]>,
    count: () => Promise<number>,
  ) {
    super();
    for (const item of held) this.push(item);
    this.#following = following;
    this.#count = count;
    made += 1;
  }

  /** All items, those that are held first. Each time from the beginning. */
  async *batches(): AsyncGenerator<readonly Item[]> {
    yield Array.from(this);
    yield* this.#following();
  }

  /** About how many bytes of JSON the items are that are not held. */
  async bytesBeyond(): Promise<number> {
    const parts = jsonParts(Array.from(this));
    const bytesOfHeld = typeof parts === 'string' ? parts.length : 0;
    return (bytesOfHeld / Math.max(1, this.length)) * ((await this.#count()) - this.length);
  }

  override map<Other>(change: (item: Item, index: number, all: Item[]) => Other): Other[] {
    return this.changed((batch) => batch.map((item, index) => change(item, index, this)));
  }

  override filter(accepts: (item: Item, index: number, all: Item[]) => unknown): Item[] {
    return this.changed((batch) => batch.filter((item, index) => accepts(item, index, this)));
  }

  override flatMap<Other>(
    change: (item: Item, index: number, all: Item[]) => Other | readonly Other[],
  ): Other[] {
    return this.changed((batch) => batch.flatMap((item, index) => change(item, index, this)));
  }

  /** Called by `JSON.stringify`: leaves a place that {@link jsonParts} fills. */
  toJSON(): unknown {
    if (met === undefined) throw new Error('A long list is written by jsonParts alone');
    return placeOf(met.push(this) - 1);
  }

  private changed<Other>(change: (batch: readonly Item[]) => Other[]): LongList<Other> {
    const following = this.#following;
    return new LongList<Other>(
      change(Array.from(this)),
      async function* () {
        for await (const batch of following()) yield change(batch);
      },
      this.#count,
    );
  }
}

/** The list of a row that {@link firstItems} gave: a plain array where those are all. */
export function listOf<Item>(first: readonly Item[], reading: ListReading<Item>): readonly Item[] {
  if (first.length <= reading.held) return first;
  const held = first.slice(0, reading.held);
  return new LongList(
    held,
    async function* () {
      for (let last = held.at(-1); last !== undefined;) {
        const batch = await reading.after(last);
        if (batch.length > 0) yield batch;
        last = batch.at(-1);
      }
    },
    () => reading.count(),
  );
}

/**
 * SQL that gives the first items of a list of a row, and one more that tells whether there are others.
 * @param item a JSON object of an item
 * @param from FROM and WHERE of the items
 * @param order by which each is at one place
 */
export const firstItems = (item: string, from: string, order: string, held: number): string => `(
    SELECT coalesce(json_agg(listed.item), '[]')
    FROM (SELECT ${item} AS item ${from} ORDER BY ${order} LIMIT ${held + 1}) listed)`;

/** JSON of a body: a text, or where it holds long lists, the parts of one. */
export function jsonParts(body: unknown): string | AsyncGenerator<string> {
  const outer = met;
  const lists: LongList<unknown>[] = [];
  met = lists;
  try {
    const text = JSON.stringify(body);
    return lists.length === 0 ? text : partsOf(text, lists);
  } finally {
    met = outer;
  }
}

/** What stands between the brackets of an array; its items may hold long lists in turn. */
async function* itemsOf(batch: readonly unknown[]): AsyncGenerator<string> {
  const json = jsonParts(batch);
  if (typeof json === 'string') {
    yield json.slice(1, -1);
    return;
  }
  for (const [index, item] of batch.entries()) {
    if (index > 0) yield ',';
    const parts = jsonParts(item);
    if (typeof parts === 'string') yield parts;
    else yield* parts;
  }
}

async function* partsOf(text: string, lists: readonly LongList<unknown>[]): AsyncGenerator<string> {
  let rest = text;
  for (const [index, list] of lists.entries()) {
    const place = JSON.stringify(placeOf(index));
    const at = rest.indexOf(place);
    yield `${rest.slice(0, at)}[`;
    let isFirst = true;
    for await (const batch of list.batches()) {
      if (batch.length === 0) continue;
      if (!isFirst) yield ',';
      yield* itemsOf(batch);
      isFirst = false;
    }
    rest = `]${rest.slice(at + place.length)}`;
  }
  yield rest;
}

/** The long lists of a record, those of what they hold included. */
export function longListsIn(value: unknown): readonly LongList<unknown>[] {
  if (typeof value !== 'object' || value === null) return [];
  const within = Object.values(value).flatMap(longListsIn);
  return value instanceof LongList ? [value as LongList<unknown>, ...within] : within;
}
