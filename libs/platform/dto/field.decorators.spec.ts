import 'reflect-metadata';
import type { Type } from '@nestjs/common';
import { fieldError, ValidationFailed } from '../errors/api-error';
import type { FieldErrorReason } from '../errors/reasons';
import { describedFields } from './described-fields';
import {
  BooleanField,
  IdentifierField,
  IntegerChoiceField,
  IntegerField,
  isStorableText,
  TextField,
  WordField,
  WordListField,
} from './field.decorators';
import { readBody } from './shape.pipe';
import type { RequestShape } from './shapes';

class Example {
  @TextField({ max: 3, required: true, format: 'email', description: 'A name', example: 'abc' })
  text?: string;

  @TextField({
    max: 3,
    emptyIsAbsent: true,
    rules: [
      {
        name: 'isGood',
        holds: (text) => !text.startsWith('bad'),
        error: fieldError('INVALID', 'This is bad.'),
      },
    ],
  })
  checked?: string;

  @WordField({ words: ['nl', '1'], default: 'nl' })
  word?: string;

  @WordListField({
    of: 'word',
    most: 2,
    faultOf: (word) => (word === 'bad' ? fieldError('INVALID', 'This is bad.') : undefined),
  })
  words?: string[];

  @IntegerField({})
  integer?: number;

  @IntegerField({ min: 1, max: 28, nullable: true })
  bounded?: number | null;

  @IntegerChoiceField({ choices: [0, 30] })
  choice?: number;

  @IdentifierField({ declaredAs: 'string' })
  identifier?: number;

  @BooleanField({})
  flag?: boolean;

  @BooleanField({ declaredAs: 'string' })
  flagText?: boolean;
}

const shape: RequestShape<Example> = {
  body: Example,
  nulls: 'absent',
  toInput: (dto) => ({ ...dto }),
};

/** The value that is read from one field, or what is wrong with it. */
async function read(name: keyof Example, value: unknown): Promise<unknown> {
  try {
    const { text, ...others } = await readBody(shape, { text: 'abc', [name]: value }, false);
    return name === 'text' ? text : others[name];
  } catch (error) {
    if (error instanceof ValidationFailed) return { faults: error.fields?.[name] };
    throw error;
  }
}

it.each<[keyof Example, unknown, unknown]>([
  ['text', 'abc', 'abc'],
  ['text', 12, '12'],
  ['text', '\u{1f600}'.repeat(3), '\u{1f600}'.repeat(3)],
  ['checked', 'god', 'god'],
  ['checked', '', undefined],
  ['word', 'nl', 'nl'],
  ['word', 1, '1'],
  ['word', '', undefined],
  ['words', ['nl', 'nl'], ['nl', 'nl']],
  ['integer', '-2147483648', -2_147_483_648],
  ['integer', 2_147_483_647, 2_147_483_647],
  ['integer', '', undefined],
  ['bounded', '1', 1],
  ['bounded', 28, 28],
  ['choice', '30', 30],
  ['choice', '', undefined],
  ['identifier', '1', 1],
  ['identifier', 2_147_483_647, 2_147_483_647],
  ['identifier', '', undefined],
  ['flag', '1', true],
  ['flag', false, false],
  ['flag', '', undefined],
  ['flagText', 'false', false],
])('%s reads %j as %j', async (name, value, expected) => {
  expect(await read(name, value)).toEqual(expected);
});

const TEXT = 'This value should be a string.';
const LONG = 'This value is too long. It should have 3 characters or less.';
const STORABLE = 'This value contains a character that cannot be stored.';
const IDENTIFIER = 'This value should be an identifier.';

it.each<[keyof Example, unknown, FieldErrorReason, string]>([
  ['text', true, 'WRONG_TYPE', TEXT],
  ['text', ['a'], 'WRONG_TYPE', TEXT],
  ['text', { a: 1 }, 'WRONG_TYPE', TEXT],
  ['text', 'abcd', 'TOO_LONG', LONG],
  // PostgreSQL counts a variation selector as a character too.
  ['text', '\u2764\ufe0f'.repeat(2), 'TOO_LONG', LONG],
  ['text', 'a\0', 'NOT_STORABLE', STORABLE],
  ['text', 'a\ud800', 'NOT_STORABLE', STORABLE],
  ['checked', 'bad', 'INVALID', 'This is bad.'],
  // A text that is too long is not checked further.
  ['checked', 'bad and long', 'TOO_LONG', LONG],
  ['checked', 'bad\0and long', 'TOO_LONG', LONG],
  ['checked', 1e30, 'WRONG_TYPE', TEXT],
  ['word', 'de', 'NOT_A_CHOICE', 'This value should be one of nl, 1.'],
  ['word', ['nl'], 'NOT_A_CHOICE', 'This value should be one of nl, 1.'],
  ['words', 'nl', 'WRONG_TYPE', 'This value should be an array of words.'],
  ['words', [], 'TOO_SHORT', 'This value should have 1 word or more.'],
  ['words', ['a', 'b', 'c'], 'TOO_LONG', 'This value should have 2 words or less.'],
  ['words', ['nl', 1], 'WRONG_TYPE', 'Each word should be a string.'],
  ['words', ['bad', 'nl'], 'INVALID', 'This is bad.'],
  ['integer', 1.5, 'WRONG_TYPE', 'This value should be an integer.'],
  ['integer', 'x', 'WRONG_TYPE', 'This value should be an integer.'],
  ['integer', '2147483648', 'TOO_LARGE', 'This value should be 2147483647 or less.'],
  ['integer', '-2147483649', 'TOO_SMALL', 'This value should be -2147483648 or more.'],
  ['bounded', 0, 'TOO_SMALL', 'This value should be 1 or more.'],
  ['bounded', 29, 'TOO_LARGE', 'This value should be 28 or less.'],
  ['choice', 60, 'NOT_A_CHOICE', 'This value should be one of 0, 30.'],
  ['identifier', 0, 'INVALID_IDENTIFIER', IDENTIFIER],
  ['identifier', 'x', 'INVALID_IDENTIFIER', IDENTIFIER],
  ['identifier', '2147483648', 'INVALID_IDENTIFIER', IDENTIFIER],
  ['flag', 'yes', 'WRONG_TYPE', 'This value should be true or false.'],
  ['flagText', 2, 'WRONG_TYPE', 'This value should be true or false.'],
])('%s refuses %j: %s', async (name, value, reason, message) => {
  expect(await read(name, value)).toEqual({ faults: [{ reason, message }] });
});

it('stores any text but NUL and half surrogates', () => {
  expect(['', 'a', '\u{1f600}', 1, null, ['\0']].every(isStorableText)).toBe(true);
  expect(['\0', 'a\0b', '\ud83d', '\ude00'].some(isStorableText)).toBe(false);
});

it('registers only the fields of its own class', async () => {
  class Other {
    @TextField({ max: 1 })
    text?: string;
  }
  class None {}
  const readAs = (body: Type<object>, value: object) =>
    readBody({ body, nulls: 'absent', toInput: (dto) => ({ ...dto }) }, value, false);
  expect(await readAs(Other, { text: 'a', word: 'nl' })).toEqual({ text: 'a' });
  expect(await readAs(None, { text: 'a' })).toEqual({});
});

it('is inherited, and may be declared anew', async () => {
  class Wider extends Example {
    @IntegerField({ min: 5 })
    declare integer?: number;

    @TextField({ max: 2 })
    more?: string;
  }
  const wider: RequestShape<Wider> = { body: Wider, nulls: 'absent', toInput: (dto) => ({ ...dto }) };
  expect(await readBody(wider, { text: 'abc', integer: '5', more: 7 }, false)).toMatchObject({
    text: 'abc',
    integer: 5,
    more: '7',
  });
  const refused = readBody(wider, { text: 'abcd', integer: 4, more: 'abc' }, false);
  await expect(refused).rejects.toMatchObject({
    fields: {
      text: [{ reason: 'TOO_LONG' }],
      integer: [{ reason: 'TOO_SMALL' }],
      more: [{ reason: 'TOO_LONG' }],
    },
  });
});

/** What a field leaves for the interface description. */
const optionsOf = (field: keyof Example): unknown => describedFields(Example).get(field);

it.each<[keyof Example, object]>([
  [
    'text',
    {
      type: 'string',
      maxLength: 3,
      required: true,
      format: 'email',
      description: 'A name',
      example: 'abc',
    },
  ],
  ['checked', { type: 'string', maxLength: 3, required: false }],
  ['word', { type: 'string', enum: ['nl', '1'], default: 'nl', required: false }],
  ['integer', { type: 'integer', minimum: -2_147_483_648, maximum: 2_147_483_647, required: false }],
  ['bounded', { type: 'integer', minimum: 1, maximum: 28, nullable: true, required: false }],
  ['choice', { type: 'integer', enum: [0, 30], required: false }],
  ['identifier', { type: 'string', required: false }],
  ['flag', { type: 'boolean', required: false }],
  ['flagText', { type: 'string', required: false }],
])('describes %s', (name, description) => {
  expect(optionsOf(name)).toEqual(description);
});
