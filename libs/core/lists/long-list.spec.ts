import { text } from 'node:stream/consumers';
import { csvStream } from '../csv/csv-rows';
import { jsonParts, listOf, LongList, longListsIn } from './long-list';

/** A list of which two items are held and the others come in batches of two. */
function numbered(count: number): readonly { id: number }[] {
  const all = Array.from({ length: count }, (_, index) => ({ id: index + 1 }));
  return listOf(all.slice(0, 3), {
    held: 2,
    after: ({ id }) => Promise.resolve(all.slice(id, id + 2)),
    count: () => Promise.resolve(count),
  });
}

const idsUpTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

async function jsonOf(body: unknown): Promise<unknown> {
  const json = jsonParts(body);
  let whole = '';
  for await (const part of typeof json === 'string' ? [json] : json) whole += part;
  return JSON.parse(whole);
}

describe('a list of a record', () => {
  it.each([0, 1, 2])('of %d items is a plain array', (count) => {
    expect(numbered(count)).toEqual(idsUpTo(count).map((id) => ({ id })));
    expect(numbered(count)).not.toBeInstanceOf(LongList);
  });

  it.each([3, 4, 5, 8])('of %d items is written whole as JSON, mapped like any other', async (count) => {
    const list = numbered(count);
    expect(list).toBeInstanceOf(LongList);
    expect(list).toHaveLength(2);
    const body = {
      before: '"\\u0000long list 0"',
      ids: list.map(({ id }) => id),
      odd: list.filter(({ id }) => id % 2 === 1),
      twice: list.flatMap(({ id }) => [id, id]),
      after: { none: list.flatMap(() => []) },
    };
    expect(await jsonOf(body)).toEqual({
      before: '"\\u0000long list 0"',
      ids: idsUpTo(count),
      odd: idsUpTo(count)
        .filter((id) => id % 2 === 1)
        .map((id) => ({ id })),
      twice: idsUpTo(count).flatMap((id) => [id, id]),
      after: { none: [] },
    });
  });

  it('may hold lists in turn, in what is held and in what is not', async () => {
    const nested = numbered(5).map(({ id }) => ({ id, below: id === 1 || id === 4 ? numbered(4) : [] }));
    expect(await jsonOf({ nested })).toEqual({
      nested: idsUpTo(5).map((id) => ({
        id,
        below: id === 1 || id === 4 ? idsUpTo(4).map((one) => ({ id: one })) : [],
      })),
    });
    expect(longListsIn({ nested })).toHaveLength(2);
  });

  it('is written whole as csv, each column by itself', async () => {
    const rows = [
      { name: 'plain', users: numbered(2).map(({ id }) => ({ id, name: `=${id}` })) },
      { name: 'a "long" one', users: numbered(5).map(({ id }) => ({ id, name: `"${id}"` })) },
      {
        name: 'nested',
        users: numbered(3).map(({ id }) => ({ id, name: '', of: id === 3 ? numbered(4) : numbered(1) })),
      },
    ];
    expect(await text(csvStream(rows, ['name', 'users.id', 'users.name', 'users.of.id']))).toBe(
      [
        'name,users.id,users.name,users.of.id',
        "plain,1;2,'=1;'=2,;",
        '"a ""long"" one","1;2;3;4;5","""1"";""2"";""3"";""4"";""5""",";;;;"',
        '"nested","1;2;3",";;","1;1;1;2;3;4"',
        '',
      ].join('\r\n'),
    );
  });

  it('is not written by what does not know it', () => {
    expect(() => JSON.stringify(numbered(3))).toThrow('jsonParts');
  });

  it('tells about how long the rest of it is', async () => {
    const list = numbered(100) as LongList<{ id: number }>;
    const bytes = JSON.stringify(idsUpTo(98).map((id) => ({ id }))).length;
    expect(await list.bytesBeyond()).toBeGreaterThan(bytes * 0.7);
    expect(await list.bytesBeyond()).toBeLessThan(bytes * 1.3);
  });
});
