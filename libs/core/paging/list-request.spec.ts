import { ValidationFailed } from '../errors/api-error';
import { readListRequest, substringPattern } from './list-request';

const MAX = 1000;
const shape = {
  orderBy: { id: 'id', firstName: 'givenName' },
  search: { name: 'title', taxNumber: 'tax' },
  tag: true,
} as const;

const read = (query: Record<string, unknown>) => readListRequest(shape, query, MAX);

const faultsOf = (query: Record<string, unknown>): unknown => {
  try {
    read(query);
  } catch (error) {
    if (error instanceof ValidationFailed) return error.fields;
    throw error;
  }
  return 'none';
};

const DEFAULTS = {
  limit: 5,
  offset: 0,
  orderBy: 'id',
  descending: false,
  filter: undefined,
  search: {},
  selectsNothing: false,
};

it('has the defaults of the interface description', () => {
  expect(read({})).toEqual(DEFAULTS);
});

it('takes empty parameters for absent and passes over unknown ones', () => {
  const names = ['limit', 'offset', 'orderBy', 'orderType', 'filter', 'tag', 'name', 'taxNumber'];
  const empty = Object.fromEntries(names.map((name) => [name, '']));
  expect(read({ ...empty, other: ['x'] })).toEqual(DEFAULTS);
});

it.each([
  ['1', 1],
  ['1000', 1000],
  ['1001', 1000],
  ['1000000', 1000],
  ['999999999999999', 1000],
  ['9223372036854775807', 1000],
  ['9'.repeat(400), 1000],
  ['0', 1000],
  ['007', 7],
])('limit=%s gives at most %d', (limit, most) => {
  expect(read({ limit }).limit).toBe(most);
});

it('keeps the offset within 32 bits', () => {
  expect(read({ offset: '12' }).offset).toBe(12);
  expect(read({ offset: '2147483647' }).offset).toBe(2_147_483_647);
  expect(read({ offset: '2147483648' }).offset).toBe(2_147_483_647);
  expect(read({ offset: '9'.repeat(400) }).offset).toBe(2_147_483_647);
});

it.each(['-1', '1.5', '1e3', 'x', ' 1', '1 ', '0x1', 'Infinity'])('refuses the count %j', (text) => {
  const fault = ['This value should be 0 or a positive integer.'];
  expect(faultsOf({ limit: text, offset: text })).toEqual({ limit: fault, offset: fault });
});

it('orders by the domain name of a declared column', () => {
  expect(read({ orderBy: 'firstName', orderType: 'desc' })).toMatchObject({
    orderBy: 'givenName',
    descending: true,
  });
  expect(read({ orderType: 'Asc' }).descending).toBe(false);
});

it.each(['givenName', 'password_hash', '__proto__', 'constructor', 'toString', 'ID'])(
  'refuses to order by %s',
  (orderBy) => {
    expect(faultsOf({ orderBy })).toEqual({ orderBy: ['This value should be one of id, firstName.'] });
  },
);

it('refuses other directions', () => {
  expect(faultsOf({ orderType: 'up' })).toEqual({ orderType: ['This value should be ASC or DESC.'] });
});

it('searches single fields under the domain names', () => {
  expect(read({ filter: 'a%', name: 'b', taxNumber: 'c' })).toMatchObject({
    filter: 'a%',
    search: { title: 'b', tax: 'c' },
  });
});

it('selects nothing by a tag, where the list has tags', () => {
  expect(read({ tag: 'x' }).selectsNothing).toBe(true);
  const untagged = readListRequest({ ...shape, tag: false }, { tag: 'x' }, MAX);
  expect(untagged.selectsNothing).toBe(false);
});

it.each(['limit', 'offset', 'orderType', 'filter', 'tag', 'name', 'taxNumber'])(
  'refuses %s given twice, too long or not storable',
  (name) => {
    expect(faultsOf({ [name]: ['1', '2'] })).toEqual({ [name]: ['This parameter should be given once.'] });
    expect(faultsOf({ [name]: 'x'.repeat(1001) })).toMatchObject({ [name]: ['This value is too long.'] });
    const unstorable = ['This value contains a character that can not be stored.'];
    expect(faultsOf({ [name]: 'a\0' })).toMatchObject({ [name]: unstorable });
    expect(faultsOf({ [name]: '\ud800' })).toMatchObject({ [name]: unstorable });
  },
);

it('takes a search of the longest text', () => {
  expect(read({ filter: 'x'.repeat(1000) }).filter).toHaveLength(1000);
});

it('names all bad parameters at once', () => {
  expect(Object.keys(faultsOf({ limit: 'x', orderBy: 'x', orderType: 'x', tag: ['a'] }) as object)).toEqual([
    'limit',
    'orderBy',
    'orderType',
    'tag',
  ]);
});

it.each([
  ['a', '%a%'],
  ['50%_\\', '%50\\%\\_\\\\%'],
  ['', '%%'],
])('finds %j by the pattern %j', (text, pattern) => {
  expect(substringPattern(text)).toBe(pattern);
});
