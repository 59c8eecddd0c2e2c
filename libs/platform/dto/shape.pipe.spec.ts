import { messagesByField } from '../../../test/support/faults/faults';
import { ValidationFailed } from '../errors/api-error';
import { BooleanField, IntegerField, TextField } from './field.decorators';
import { readBody } from './shape.pipe';
import { createShape, updateShape } from './shapes';

class Example {
  @TextField({ max: 5, required: true })
  name!: string;

  @TextField({ max: 5, nullable: true })
  note?: string | null;

  @IntegerField({ min: 0, max: 10 })
  count?: number;

  @BooleanField({})
  flag?: boolean;
}

const inputOf = ({ name, note, count, flag }: Example) => ({ name, note, count, flag });
const creation = createShape(Example, inputOf);
const change = updateShape(Example, inputOf);

const faultsOf = async (
  shape: typeof creation,
  body: unknown,
  strict = false,
): Promise<Record<string, readonly string[]>> => {
  try {
    await readBody(shape, body, strict);
  } catch (error) {
    if (error instanceof ValidationFailed) return messagesByField(error.fields ?? {});
    throw error;
  }
  return {};
};

it.each([
  [
    { name: 1, count: '7', flag: 'TRUE' },
    { name: '1', count: 7, flag: true },
  ],
  [
    { name: 1.5, count: ' 7 ', flag: 0 },
    { name: '1.5', count: 7, flag: false },
  ],
  [{ name: 'a', count: '', flag: '' }, { name: 'a' }],
  [{ name: 'a', unknown: { a: 1 } }, { name: 'a' }],
  [
    { name: 'a', note: '' },
    { name: 'a', note: '' },
  ],
])('reads %j', async (body, expected) => {
  expect(await readBody(creation, body, false)).toEqual(expected);
});

it('takes null as absent on creation; on a change it clears what is nullable and is refused elsewhere', async () => {
  expect(await readBody(creation, { name: 'a', note: null, count: null }, false)).toEqual({ name: 'a' });
  expect(await readBody(change, { name: 'a', note: null }, false)).toEqual({ name: 'a', note: null });
  expect(Object.keys(await faultsOf(change, { name: null, count: null, flag: null }))).toEqual([
    'name',
    'count',
    'flag',
  ]);
});

it.each([
  ['name', {}],
  ['name', { constructor: 1 }],
  ['name', ['a']],
  ['name', true],
  ['name', 'too long'],
  ['name', 'a\0'],
  ['name', '\udc00'],
  ['name', 1e300],
  ['count', '1e1'],
  ['count', 11],
  ['count', 1.5],
  ['count', '٣'],
  ['count', [1]],
  ['flag', 2],
  ['flag', 'yes'],
  ['flag', {}],
  ['name', { constructor: { a: 1 } }],
  ['name', { then: 1 }],
  ['count', [{ constructor: 'x' }]],
  ['flag', JSON.parse('{"__proto__": {"a": 1}}')],
])('refuses %s = %j by name', async (field, value) => {
  expect(Object.keys(await faultsOf(creation, { name: 'a', [field]: value }))).toEqual([field]);
});

it('names unknown fields only under strict reading, whatever their name', async () => {
  const body: unknown = JSON.parse('{"name": "a", "other": 1, "__proto__": 1}');
  expect(await faultsOf(creation, body)).toEqual({});
  expect(Object.keys(await faultsOf(creation, body, true)).sort()).toEqual(['__proto__', 'other']);
});

it.each([[[]], ['x'], [1], [true]])('refuses %j as a whole', async (body) => {
  await expect(readBody(creation, body, false)).rejects.toThrow('The body should be a JSON object');
});

const REQUIRED = ['This value should not be blank.'];

it.each([undefined, null, {}, { name: null }, { name: '' }, { name: ' \t\u00a0' }])(
  'tells of %j that the required field is blank',
  async (body) => {
    expect(await faultsOf(creation, body)).toEqual({ name: REQUIRED });
    expect(await faultsOf(change, body)).toEqual({ name: REQUIRED });
  },
);

it('tells in words what is wrong with null and with an unknown field', async () => {
  expect(await faultsOf(change, { name: 'a', flag: null, other: 1 }, true)).toEqual({
    flag: ['This value cannot be null.'],
    other: ['This field is not known.'],
  });
});

it('keeps empty text where it is a value, and blank text where the field is not required', async () => {
  expect(await readBody(creation, { name: 'a', note: ' ' }, false)).toEqual({ name: 'a', note: ' ' });
  expect(await readBody(creation, { name: ' a ', note: '' }, false)).toEqual({ name: ' a ', note: '' });
});

it('says why a body as a whole is refused', async () => {
  await expect(readBody(creation, [], false)).rejects.toMatchObject({ reason: 'NOT_AN_OBJECT' });
});
