import { messagesOf } from '../../../test/support/faults/faults';
import {
  generatedPasswordRules,
  isUserName,
  validatePassword,
  VARIANT_A_PASSWORD_RULES,
  VARIANT_B_PASSWORD_RULES,
} from './password-rules';

const TOO_SHORT_A = 'The password must be longer than 7 characters.';
const TOO_SHORT_B = 'The password must be longer than 8 characters.';
const TOO_LONG = 'The password must be shorter than 30 characters.';
const TOO_MANY_BYTES = 'The password must not take more than 72 bytes in UTF-8.';
const NO_DIGIT = 'The password must contain at least one digit.';
const NO_CAPITAL = 'The password must contain at least one capital letter.';
const NO_SPECIAL = 'The password must contain at least one special character.';
const FORBIDDEN = 'The password must not contain spaces, colons, double quotes or apostrophes.';
const NUL = 'The password must not contain a NUL character.';

/** U+0085 and all of Unicode category Z, from PropList.txt (White_Space), and U+FEFF. */
const WHITE_SPACE = [
  0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20, 0x85, 0xa0, 0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005,
  0x2006, 0x2007, 0x2008, 0x2009, 0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff,
].map((codePoint) => String.fromCodePoint(codePoint));

describe('rules of Variant A', () => {
  it.each<[string, string[]]>([
    ['abcde1!', [TOO_SHORT_A]],
    ['abcdef1!', []],
    [`${'a'.repeat(27)}1!`, []],
    [`${'a'.repeat(28)}1!`, [TOO_LONG]],
    ['abcdefg!', [NO_DIGIT]],
    ['abcdefg1', [NO_SPECIAL]],
    ['ABCDEFG1', [NO_SPECIAL]],
    ['éäöüßñç1', [NO_SPECIAL]],
    ['abcdefg٣!', [NO_DIGIT]],
    ['abcdef1²', [NO_SPECIAL]],
    ['abcdef1\u0301', [NO_SPECIAL]],
    ['abcdef1\u0007', [NO_SPECIAL]],
    ['abcdef1:', [NO_SPECIAL, FORBIDDEN]],
    ['abcdef1!:', [FORBIDDEN]],
    ['abcdef1!"', [FORBIDDEN]],
    ["abcdef1!'", [FORBIDDEN]],
    ['abcdef1!’', []],
    ['abcdef1€', []],
    ['abcdef1_', []],
    // Six letters, a digit and an emoji: eight characters in nine UTF-16 units.
    ['abcdef1😀', []],
    ['abcde1😀', [TOO_SHORT_A]],
    ['abcdef1!\0', [NUL]],
    // 17 characters of 4 bytes, two of one: 70 bytes; one more is 74.
    [`${'😀'.repeat(17)}1!`, []],
    [`${'😀'.repeat(18)}1!`, [TOO_MANY_BYTES]],
    ['😀'.repeat(18), [NO_DIGIT]],
    ['', [TOO_SHORT_A, NO_DIGIT, NO_SPECIAL]],
    ['x'.repeat(100_000), [TOO_LONG, TOO_MANY_BYTES, NO_DIGIT, NO_SPECIAL]],
  ])('%p', (password, errors) => {
    expect(messagesOf(validatePassword(password, VARIANT_A_PASSWORD_RULES))).toEqual(errors);
  });
});

describe('rules of Variant B', () => {
  it.each<[string, string[]]>([
    ['Abcdefg1', [TOO_SHORT_B]],
    ['Abcdefgh1', []],
    [`A${'b'.repeat(27)}1`, []],
    [`A${'b'.repeat(28)}1`, [TOO_LONG]],
    ['abcdefgh1', [NO_CAPITAL]],
    ['Ébcdefgh1', []],
    ['Abcdefghi', [NO_DIGIT]],
    ['Abcdefgh1:', [FORBIDDEN]],
    ['abcdef1!', [TOO_SHORT_B, NO_CAPITAL]],
  ])('%p', (password, errors) => {
    expect(messagesOf(validatePassword(password, VARIANT_B_PASSWORD_RULES))).toEqual(errors);
  });
});

describe('white space', () => {
  it.each(WHITE_SPACE.map((space) => [space.codePointAt(0)?.toString(16), space]))(
    'U+%s is forbidden',
    (_, space) => {
      expect(messagesOf(validatePassword(`Abcdef1!${space}x`, VARIANT_A_PASSWORD_RULES))).toEqual([
        FORBIDDEN,
      ]);
      expect(messagesOf(validatePassword(`Abcdef1!${space}x`, VARIANT_B_PASSWORD_RULES))).toEqual([
        FORBIDDEN,
      ]);
    },
  );

  it('does not make up the special character', () => {
    for (const space of WHITE_SPACE) {
      expect(messagesOf(validatePassword(`abcdef1${space}`, VARIANT_A_PASSWORD_RULES))).toEqual([
        NO_SPECIAL,
        FORBIDDEN,
      ]);
    }
  });
});

describe('the composed form', () => {
  it.each<[string, string[]]>([
    // Eight letters in fifteen code points, and 29 of them in 56.
    ['e\u0301'.repeat(7), [TOO_SHORT_A, NO_DIGIT, NO_SPECIAL]],
    [`${'e\u0301'.repeat(6)}1!`, []],
    [`${'e\u0301'.repeat(27)}1!`, []],
    [`${'e\u0301'.repeat(28)}1!`, [TOO_LONG]],
    // The Greek question mark is a semicolon.
    ['abcdef1\u037e', []],
  ])('%p counts in Variant A', (password, errors) =>
    expect(messagesOf(validatePassword(password, VARIANT_A_PASSWORD_RULES))).toEqual(errors),
  );

  it('has a capital letter where its parts have one', () =>
    expect(validatePassword('E\u0301tat-civil1', VARIANT_B_PASSWORD_RULES)).toEqual([]));

  it.each(['Jan@m\u00fcnchen.example', 'jan@MU\u0308NCHEN.example', 'JAN@xn--mnchen-3ya.example', 'JaN'])(
    '%s is the user name jan@xn--mnchen-3ya.example',
    (password) => expect(isUserName(password, 'jan@xn--mnchen-3ya.example')).toBe(true),
  );
});

// rule pages 16
it('tells password managers the rules of each variant', () => {
  expect(generatedPasswordRules(VARIANT_A_PASSWORD_RULES)).toBe(
    'minlength: 8; maxlength: 29; required: digit; required: [-!#$%*+.=?@_]; allowed: lower, upper',
  );
  expect(generatedPasswordRules(VARIANT_B_PASSWORD_RULES)).toBe(
    'minlength: 9; maxlength: 29; required: digit; required: upper; allowed: lower, upper',
  );
  expect(validatePassword('a1-!#$%*+.=?@_', VARIANT_A_PASSWORD_RULES)).toEqual([]);
});
