import { ServerAddress } from './addresses';
import { compareBodies, withoutOwnNoise } from './differences';
import { type Exact, parseExactly } from './exact-json';
import { Identifiers } from './identifiers';

const [OLD, NEW] = ['https://old.example/panel/v1', 'http://localhost:3001/v1'].map((text) =>
  ServerAddress.read(text),
) as [ServerAddress, ServerAddress];
const RULES = {
  clock: 5,
  isUnordered: false,
  identifiers: new Identifiers(),
  values: true,
  old: OLD,
  new: NEW,
};

const json = (value: unknown): Exact =>
  typeof value === 'string' ? (parseExactly(value)?.value ?? null) : (value as Exact);

/** Differences as `kind at`, and `noise` where known noise was passed over. */
function compared(old: unknown, fresh: unknown, rules = RULES): string[] {
  const { differences, isNoisy } = compareBodies(json(old), json(fresh), rules);
  return [...differences.map(({ kind, at }) => `${kind} ${at}`), ...(isNoisy ? ['noise'] : [])];
}

const HEX = ['3f'.repeat(32), 'a7'.repeat(32)] as const;

describe('types', () => {
  it.each([
    [5, '5'],
    [null, ''],
    [[], {}],
    [null, []],
    [true, 'true'],
    [0, false],
    [0, null],
    [{}, null],
  ])('tells %j from %j', (old, fresh) => {
    expect(compared({ a: { b: old } }, { a: { b: fresh } })).toEqual(['type $.a.b']);
    expect(compared({ a: { b: fresh } }, { a: { b: old } })).toEqual(['type $.a.b']);
    expect(compared([old], [fresh])).toEqual(['type $[]']);
  });

  it('tells an absent key from null', () => {
    expect(compared({ a: 1, b: null }, { a: 1 })).toEqual(['absent $.b']);
    expect(compared({ a: 1 }, { a: 1, b: null })).toEqual(['added $.b']);
  });

  it('tells numbers of other digits apart', () => {
    expect(compared('{"a":1.0}', '{"a":1}')).toEqual(['value $.a']);
    expect(compared('{"a":12345678901234567890}', '{"a":12345678901234567891}')).toEqual(['value $.a']);
    expect(compared('{"a":1.50}', '{"a":1.50}')).toEqual([]);
  });
});

describe('places', () => {
  it('writes positions of lists as [], and keys that are no names in quotes', () => {
    const old = { users: [{ 'first name': 'a', roles: ['x'] }] };
    const fresh = { users: [{ 'first name': 'b', roles: ['y'] }] };
    expect(compared(old, fresh)).toEqual(['value $.users[]["first name"]', 'value $.users[].roles[]']);
  });

  it('ignores the order of keys', () => {
    expect(compared('{"a":1,"b":{"c":2,"d":3}}', '{"b":{"d":3,"c":2},"a":1}')).toEqual([]);
  });

  it('is not misled by keys of prototypes', () => {
    expect(compared('{"constructor":1,"__proto__":2}', '{}')).toEqual([
      'absent $.constructor',
      'absent $.__proto__',
    ]);
  });
});

describe('lists', () => {
  it('matches records by their identifier and says that their order differs', () => {
    const old = [
      { id: 1, a: 'x' },
      { id: 2, a: 'y' },
      { id: 3, a: 'z' },
    ];
    const fresh = [
      { id: 3, a: 'z' },
      { id: 1, a: 'X' },
      { id: 2, a: 'y' },
    ];
    expect(compared({ l: old }, { l: fresh })).toEqual(['order $.l', 'value $.l[].a']);
    const unordered = { ...RULES, isUnordered: true };
    expect(compared({ l: old }, { l: fresh }, unordered)).toEqual(['value $.l[].a', 'noise']);
  });

  it('matches other items by their value', () => {
    expect(compared({ roles: ['a', 'b', 'c'] }, { roles: ['c', 'a', 'b'] })).toEqual(['order $.roles']);
    expect(compared({ roles: ['a', 'b', 'c'] }, { roles: ['a', 'x', 'c'] })).toEqual(['value $.roles[]']);
    expect(compared({ roles: ['a', 'a'] }, { roles: ['a', 'b', 'a'] })).toEqual(['added $.roles[]']);
  });

  it('says which items one side lacks', () => {
    const items = [1, 2, 3, 4].map((id) => ({ id, name: `name ${id}`, city: `city ${id}` }));
    expect(compared({ l: items }, { l: items.slice(1) })).toEqual(['absent $.l[]']);
    expect(compared({ l: items.slice(0, 3) }, { l: items.slice(1) })).toEqual([
      'absent $.l[]',
      'added $.l[]',
    ]);
  });

  it('takes a record whose identifier alone changed for the same', () => {
    const record = { name: 'Anna', city: 'Utrecht' };
    expect(compared({ l: [{ id: 1, ...record }] }, { l: [{ id: 9, ...record }] })).toEqual([
      'value $.l[].id',
    ]);
    expect(compared({ l: [{ id: 1, ...record }] }, { l: [{ id: '1', ...record }] })).toEqual([
      'type $.l[].id',
    ]);
  });

  it('compares lists of thousands of items in no time', () => {
    const items = Array.from({ length: 20_000 }, (_, id) => ({ id, name: `name ${id}` }));
    const begin = performance.now();
    expect(compared({ l: items }, { l: items.toReversed() })).toEqual(['order $.l']);
    expect(compared({ l: items }, { l: items.map(({ name }) => ({ name: `${name}!` })) })).toHaveLength(1000);
    expect(performance.now() - begin).toBeLessThan(5000);
  });
});

describe('links', () => {
  it.each([
    ['https://old.example/panel/v1/users?offset=5', 'http://localhost:3001/v1/users?offset=5', []],
    ['https://old.example/docs/v1', 'http://localhost:3001/docs/v1', []],
    ['https://old.example', 'http://localhost:3001', []],
    ['https://old.example/panel/v1/users', 'http://localhost:3001/v1/roles', ['value $.next']],
    ['https://old.example.com/', 'http://localhost:3001/', ['value $.next']],
    ['https://old.example/', '/', ['value $.next']],
    ['http://localhost:3001/', 'https://old.example/', ['value $.next']],
  ])('of %s to %s', (old, fresh, found) => {
    expect(compared({ next: old }, { next: fresh })).toEqual(found);
  });
});

describe('known noise', () => {
  it.each([
    ['Unix seconds', { dtCreated: '1700000000' }, { dtCreated: '1700000005' }],
    ['numbers of them', { dtStamp: 1_700_000_000 }, { dtStamp: 1_700_000_004 }],
    ['moments', { seen: '2026-11-28T10:00:00.000Z' }, { seen: '2026-11-28T10:00:04.999Z' }],
    ['hashes', { anything: HEX[0] }, { anything: HEX[1] }],
    ['tokens', { token: 'kXb3yQ9rT0mN7cVw' }, { token: 'pLm8aZ2sD5fG1hJk' }],
    ['tokens without a sign of base64', { secret: `${'kX3/'.repeat(8)}` }, { secret: 'kX3y'.repeat(8) }],
    [
      'tokens with a prefix',
      { secret: `whsec_${'k+3/'.repeat(8)}` },
      { secret: `whsec_${'kX3y'.repeat(8)}` },
    ],
    ['the identifier of a request', { requestId: 'a' }, { requestId: 'another one' }],
  ])('are %s', (_, old, fresh) => {
    expect(compared(old, fresh)).toEqual(['noise']);
    expect(compared({ l: [old, { a: 1 }] }, { l: [{ a: 1 }, fresh] })).toContain('noise');
  });

  it.each([
    ['moments too far apart', { dtCreated: '1700000000' }, { dtCreated: '1700000006' }],
    ['moments of another form', { dtCreated: '1700000000' }, { dtCreated: '1700000000000' }],
    ['moments with another precision', { at: '2026-11-28T10:00:00Z' }, { at: '2026-11-28T10:00:00.000Z' }],
    ['digits under another name', { taxNumber: '1700000000' }, { taxNumber: '1700000001' }],
    ['hashes of another length', { hash: HEX[0] }, { hash: HEX[1].slice(2) }],
    ['hashes in other letters', { hash: HEX[0] }, { hash: HEX[1].toUpperCase() }],
    ['tokens of another kind', { secret: `whsec_${HEX[0]}` }, { secret: `whkey_${HEX[1]}` }],
    ['tokens in another alphabet', { secret: 'kX3-'.repeat(8) }, { secret: 'kX3/'.repeat(8) }],
    ['fingerprints', { fingerprint: '16:27:ac' }, { fingerprint: '16:27:ad' }],
    ['plain texts', { name: 'Anna' }, { name: 'Anne' }],
    ['words', { code: 'NOT_FOUND' }, { code: 'FORBIDDEN' }],
    ['words of states', { sessionState: 'Inactive' }, { sessionState: 'Disabled' }],
  ])('are not %s', (_, old, fresh) => {
    expect(compared(old, fresh)).toEqual([`value $.${Object.keys(old)[0]}`]);
  });

  it('takes the seconds that --clock says', () => {
    const compare = (clock: number) =>
      compared({ dtEnd: '1700000000' }, { dtEnd: '1700000060' }, { ...RULES, clock });
    expect(compare(60)).toEqual(['noise']);
    expect(compare(0)).toEqual(['value $.dtEnd']);
  });
});

describe('what the old server answers differently itself', () => {
  const differences = (old: unknown, fresh: unknown) =>
    compareBodies(json(old), json(fresh), RULES).differences;
  const left = (old: unknown, again: unknown, fresh: unknown) =>
    withoutOwnNoise(differences(old, fresh), differences(old, again)).map(({ kind, at }) => `${kind} ${at}`);

  it('does not count at that place', () => {
    expect(left({ load: 1, a: 1 }, { load: 2, a: 1 }, { load: 3, a: 2 })).toEqual(['value $.a']);
  });

  it('does not excuse the same field of another item', () => {
    const list = (...loads: number[]) => loads.map((load, id) => ({ id, load }));
    expect(left(list(1, 1), list(2, 1), list(3, 1))).toEqual([]);
    expect(left(list(1, 1), list(2, 1), list(3, 9))).toEqual(['value $[].load']);
  });

  it('excuses no type and no absence where only the value changes', () => {
    expect(left({ load: 1 }, { load: 2 }, { load: '3' })).toEqual(['type $.load']);
    expect(left({ load: 1 }, { load: 2 }, {})).toEqual(['absent $.load']);
  });

  it('excuses the order, and items that come and go', () => {
    const items = [{ id: 1 }, { id: 2 }, { id: 3 }];
    expect(left(items, items.toReversed(), [{ id: 2 }, { id: 1 }, { id: 3 }])).toEqual([]);
    expect(left(items, [{ id: 4 }, ...items], [{ id: 5 }, { id: 4 }, ...items])).toEqual([]);
    expect(left(items, items.slice(1), [{ id: 2 }])).toEqual(['absent $[]']);
  });
});

describe('identifiers that a POST answered', () => {
  const identifiers = new Identifiers();
  identifiers.learn({ contact: { id: 501 } }, { contact: { id: 733 } }, '/organisations/5/contacts');
  const rules = { ...RULES, identifiers };

  it('are equal to each other, alone and in lists', () => {
    expect(compared({ contact: { id: 501 } }, { contact: { id: 733 } }, rules)).toEqual([]);
    expect(compared({ contactId: 501 }, { contactId: 733 }, rules)).toEqual([]);
    const link = (id: number) => ({ next: `${(id === 501 ? OLD : NEW).text}/contacts/${id}` });
    expect(compared(link(501), link(733), rules)).toEqual([]);
    expect(compared({ index: 'Contact-501' }, { index: 'Contact-733' }, rules)).toEqual([]);
    const list = (id: number) => ({
      contacts: [
        { id: 1, name: 'a' },
        { id, name: 'b' },
      ],
    });
    expect(compared(list(501), list(733), rules)).toEqual([]);
  });

  it('are not equal as anything else', () => {
    expect(compared({ user: { id: 501 } }, { user: { id: 733 } }, rules)).toEqual(['value $.user.id']);
    expect(compared({ total: 501 }, { total: 733 }, rules)).toEqual(['value $.total']);
    expect(compared({ contactId: 501 }, { contactId: '733' }, rules)).toEqual(['type $.contactId']);
  });
});
