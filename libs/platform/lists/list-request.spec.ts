import { messagesByField } from '../../../test/support/faults/faults';
import { ValidationFailed } from '../errors/api-error';
import { readListRequest } from './list-request';

const WITH_TAG = { tag: true, limitMax: 1000 };
const WITHOUT_TAG = { tag: false, limitMax: 1000 };
const shape = {
  orderBy: { id: 'id', firstName: 'givenName' },
  search: { name: 'title', taxNumber: 'tax' },
} as const;

const read = (query: Record<string, unknown>) => readListRequest(shape, query, WITH_TAG);

const faultsOf = (query: Record<string, unknown>): unknown => {
  try {
    read(query);
  } catch (error) {
    if (error instanceof ValidationFailed) return messagesByField(error.fields ?? {});
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
  mode: 'default-page',
};

it('has the defaults of the interface description', () => {
  expect(read({})).toEqual(DEFAULTS);
});

it.each([
  { limit: '6' },
  { offset: '1' },
  { orderBy: 'firstName' },
  { orderType: 'DESC' },
  { filter: 'a' },
  { name: 'a' },
])('is no default page with %j', (query) => {
  expect(read(query)).toMatchObject({ mode: 'page' });
});

it.each([
  [{}, 2_147_483_647],
  [{ limit: '' }, 2_147_483_647],
  [{ limit: '0', offset: '7' }, 2_147_483_647],
  [{ limit: '5' }, 5],
  [{ limit: '1500' }, 1500],
])('of %j, streamed, gives at most %d', (query, most) => {
  expect(readListRequest(shape, query, { ...WITH_TAG, streamed: true })).toMatchObject({
    limit: most,
    mode: 'stream',
  });
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
  const error = ['This value should be 0 or a positive integer.'];
  expect(faultsOf({ limit: text, offset: text })).toEqual({ limit: error, offset: error });
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

it('selects nothing by a tag, where lists take one', () => {
  expect(read({ tag: 'x' }).mode).toBe('nothing');
  expect(readListRequest(shape, { tag: 'x' }, WITHOUT_TAG).mode).toBe('default-page');
});

it.each(['limit', 'offset', 'orderType', 'filter', 'tag', 'name', 'taxNumber'])(
  'refuses %s given twice, too long or not storable',
  (name) => {
    expect(faultsOf({ [name]: ['1', '2'] })).toEqual({ [name]: ['This parameter should be given once.'] });
    expect(faultsOf({ [name]: 'x'.repeat(1001) })).toMatchObject({ [name]: ['This value is too long.'] });
    const unstorable = ['This value contains a character that cannot be stored.'];
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
