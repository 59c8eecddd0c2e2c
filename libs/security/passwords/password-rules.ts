import { withAsciiDomain } from '@app/formats/email-domains';
import { ofText, TextField } from '@app/platform/dto/field.decorators';
import { refusing, Satisfies } from '@app/platform/dto/field-checks';
import type { TextRule } from '@app/platform/dto/text-rules';
import { type FieldError, fieldError, ValidationFailed } from '@app/platform/errors/api-error';
import { countedForm, exceedsPasswordBytes, PASSWORD_MAX_BYTES } from './password-forms';

/**
 * The running variant's rules for new passwords. All variants also forbid some
 * characters, NUL and too many bytes.
 */
export abstract class PasswordRules {
  /**
   * Characters mean Unicode code points of the composed form: an emoji is one, and so
   * is `é` however it was sent.
   */
  abstract readonly minCharacters: number;
  abstract readonly maxCharacters: number;
  /** Requires a digit, 0 to 9. */
  abstract readonly needsDigit: boolean;
  /** Requires an upper-case letter of any script. */
  abstract readonly needsCapital: boolean;
  /**
   * Requires punctuation, a symbol or an emoji: any character except letters (with combining marks) and
   * numbers of any script, forbidden and control characters.
   */
  abstract readonly needsSpecial: boolean;
}

/** "Longer than 7 and shorter than 30 characters; at least one digit; at least one special character". */
export const VARIANT_A_PASSWORD_RULES: PasswordRules = {
  minCharacters: 8,
  maxCharacters: 29,
  needsDigit: true,
  needsCapital: false,
  needsSpecial: true,
};

/** "Longer than 8 and shorter than 30 characters; at least one capital letter and one digit". */
export const VARIANT_B_PASSWORD_RULES: PasswordRules = {
  minCharacters: 9,
  maxCharacters: 29,
  needsDigit: true,
  needsCapital: true,
  needsSpecial: false,
};

/** Every Unicode white space is forbidden. `\s` adds U+FEFF, the zero-width no-break space. */
const FORBIDDEN = /[\s\p{White_Space}:"']/u;
const SPECIAL = /[^\p{L}\p{M}\p{N}\p{Cc}\s\p{White_Space}:"']/u;

/** The rules in words, for the interface description. */
export function describePasswordRules(rules: PasswordRules): string {
  const needed = [
    ...(rules.needsCapital ? ['one capital letter'] : []),
    ...(rules.needsDigit ? ['one digit'] : []),
    ...(rules.needsSpecial ? ['one special character, neither letter nor digit'] : []),
  ];
  return (
    `${rules.minCharacters} to ${rules.maxCharacters} characters and at most ${PASSWORD_MAX_BYTES} bytes of UTF-8, ` +
    `at least ${needed.join(' and ')}, no white space, colons, double quotes or apostrophes, and not the user name or its part before the @`
  );
}

/** The rules as the attribute `passwordrules` has them: password managers make one that is taken. */
export const generatedPasswordRules = (rules: PasswordRules): string =>
  [
    `minlength: ${rules.minCharacters}`,
    `maxlength: ${rules.maxCharacters}`,
    ...(rules.needsDigit ? ['required: digit'] : []),
    ...(rules.needsCapital ? ['required: upper'] : []),
    ...(rules.needsSpecial ? ['required: [-!#$%*+.=?@_]'] : []),
    'allowed: lower, upper',
  ].join('; ');

/** What a new password must be, in the form in which it counts. All broken rules are shown. */
function textRules(rules: PasswordRules): readonly TextRule[] {
  const { minCharacters, maxCharacters, needsDigit, needsCapital, needsSpecial } = rules;
  return [
    {
      name: 'hasMinCharacters',
      holds: inCountedForm((password) => [...password].length >= minCharacters),
      error: fieldError('TOO_SHORT', `The password must be longer than ${minCharacters - 1} characters.`),
    },
    {
      name: 'hasMaxCharacters',
      holds: inCountedForm((password) => [...password].length <= maxCharacters),
      error: fieldError('TOO_LONG', `The password must be shorter than ${maxCharacters + 1} characters.`),
    },
    {
      name: 'hasMaxBytes',
      holds: inCountedForm((password) => !exceedsPasswordBytes(password)),
      error: fieldError(
        'TOO_LONG',
        `The password must not take more than ${PASSWORD_MAX_BYTES} bytes in UTF-8.`,
      ),
    },
    {
      name: 'hasDigit',
      holds: inCountedForm((password) => !needsDigit || /[0-9]/.test(password)),
      error: fieldError('DIGIT_MISSING', 'The password must contain at least one digit.'),
    },
    {
      name: 'hasCapital',
      holds: inCountedForm((password) => !needsCapital || /\p{Lu}/u.test(password)),
      error: fieldError('CAPITAL_MISSING', 'The password must contain at least one capital letter.'),
    },
    {
      name: 'hasSpecialCharacter',
      holds: inCountedForm((password) => !needsSpecial || SPECIAL.test(password)),
      error: fieldError(
        'SPECIAL_CHARACTER_MISSING',
        'The password must contain at least one special character.',
      ),
    },
    {
      name: 'hasNoForbiddenCharacter',
      holds: inCountedForm((password) => !FORBIDDEN.test(password)),
      error: fieldError(
        'FORBIDDEN_CHARACTER',
        'The password must not contain spaces, colons, double quotes or apostrophes.',
      ),
    },
    {
      name: 'hasNoNul',
      holds: inCountedForm((password) => !password.includes('\0')),
      error: fieldError('NOT_STORABLE', 'The password must not contain a NUL character.'),
    },
  ];
}

/** A rule for the form in which a password counts. */
const inCountedForm =
  (holds: (password: string) => boolean) =>
  (sent: string): boolean =>
    holds(countedForm(sent));

/** The errors of a new password. */
export const validatePassword = (password: string, rules: PasswordRules): FieldError[] =>
  textRules(rules).flatMap(({ holds, error }) => (holds(password) ? [] : [error]));

/**
 * Whether a password is the user name, or its part before the `@`, in any case: whoever knows
 * the name tries these first.
 */
export function isUserName(password: string, username: string): boolean {
  const name = username.toLowerCase();
  const [localPart] = name.split('@');
  return [name, localPart].includes(withAsciiDomain(countedForm(password)).toLowerCase());
}

export const USERNAME_AS_PASSWORD = fieldError(
  'USERNAME_AS_PASSWORD',
  'The password must be neither the user name nor its part before the @.',
);

export const PRESENT_PASSWORD = fieldError('PRESENT_PASSWORD', 'This is the present password.');

/** Throws 400 on the field of a new password that is its user's name. */
export function assertNotUserName(password: string, username: string): void {
  if (isUserName(password, username)) throw ValidationFailed.on('password', USERNAME_AS_PASSWORD);
}

/** Most characters of a password that is looked at. */
const MAX_SENT = 4096;

/** A new password that must satisfy the variant's rules. */
export const PasswordField = ({ rules }: { rules: PasswordRules }): PropertyDecorator =>
  TextField({
    max: MAX_SENT,
    required: true,
    format: 'password',
    description: `The new password: ${describePasswordRules(rules)}`,
    described: { minLength: rules.minCharacters, maxLength: rules.maxCharacters },
    checks: textRules(rules).map(({ name, holds, error }) =>
      Satisfies(name, ofText(MAX_SENT, holds), refusing(error)),
    ),
  });
