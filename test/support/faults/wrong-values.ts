import { readBody } from '@app/platform/dto/shape.pipe';
import type { RequestShape } from '@app/platform/dto/shapes';
import { ValidationFailed } from '@app/platform/errors/api-error';

/**
 * Wrong values by field: each beside an otherwise right body makes the shape refuse that field and no other.
 */
export type Wrong = Readonly<Record<string, readonly unknown[]>>;

/** Declares the tests that a shape takes a right body and refuses each wrong value in it. */
export function refuses(title: string, shape: RequestShape<object>, right: object, wrong: Wrong): void {
  describe(title, () => {
    it('takes the body without a wrong value', async () => {
      expect(await refusedFields(shape, right)).toEqual([]);
    });

    it.each(Object.entries(wrong))('refuses wrong values of %s', async (field, values) => {
      const refused = await Promise.all(
        values.map((value) => refusedFields(shape, { ...right, [field]: value })),
      );
      expect(values.filter((_, index) => refused[index]?.join() !== field)).toEqual([]);
    });
  });
}

async function refusedFields<Input>(shape: RequestShape<Input>, body: object): Promise<string[]> {
  try {
    await readBody(shape, body, true);
    return [];
  } catch (error) {
    if (error instanceof ValidationFailed) return Object.keys(error.fields ?? {});
    throw error;
  }
}

export const MISSING = [undefined, null, '', ' ', '\t\n', '\u00a0'];
/** Numbers whose digits are lost when JSON is read. */
const LOST_DIGITS = [2 ** 53, -(2 ** 53), 1e21, 0.1 + 0.2, 1e-16];
export const NO_TEXT = [[], ['n'], {}, { name: 'n' }, true, ...LOST_DIGITS];
export const NOT_STORABLE = ['a\0b', 'a\ud800b', '\udc00'];
export const longerThan = (length: number): string => 'x'.repeat(length + 1);
/** Values that no text of at most so many characters may be. */
export const noTextOf = (max: number): unknown[] => [...NO_TEXT, ...NOT_STORABLE, longerThan(max)];

/**
 * What no name may have, since it stands in mails: control characters, line breaks and changes of direction.
 */
export const WRONG_NAMES = [
  'Jan,\n\nPay',
  'a\rb',
  'a\tb',
  'a\u0085b',
  'a\u2028b',
  'a\u2029b',
  'a\u001bb',
  ...[...'\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069'].map((character) => `a${character}b`),
];
export const WRONG_PEOPLE = [...WRONG_NAMES, 'see https://evil.example', '://', ...noTextOf(255)];
