import { REQUIRED } from '@app/platform/dto/text-rules';
import {
  validatePassword,
  VARIANT_A_PASSWORD_RULES,
  VARIANT_B_PASSWORD_RULES,
} from '@app/security/passwords/password-rules';
import { PAGE_TEXTS } from './page-texts';
import { passwordFaults } from './password-faults';

const RULES = { A: VARIANT_A_PASSWORD_RULES, B: VARIANT_B_PASSWORD_RULES };
const NO_DIGIT = [
  'Het wachtwoord moet minstens één cijfer bevatten.',
  'The password needs at least one digit.',
  'Le mot de passe doit contenir au moins un chiffre.',
] as const;

/** Passwords that break one rule each, with what stands at the field in Dutch, English and French. */
it.each([
  ['A', '', 'Vul een wachtwoord in.', 'Enter a password.', 'Saisissez un mot de passe.'],
  [
    'A',
    `Ab1-${'x'.repeat(26)}`,
    'Het wachtwoord is te lang: gebruik hoogstens 29 tekens, en minder bij emoji of letters met accenten.',
    'The password is too long: use at most 29 characters, and fewer if they are emoji or letters with accents.',
    'Le mot de passe est trop long : utilisez au plus 29 caractères, et moins avec des émojis ou des lettres accentuées.',
  ],
  ['A', 'Password-x', ...NO_DIGIT],
  [
    'A',
    'Password1x',
    'Het wachtwoord moet minstens één bijzonder teken bevatten, zoals ! of -.',
    'The password needs at least one special character, such as ! or -.',
    'Le mot de passe doit contenir au moins un caractère spécial, comme ! ou -.',
  ],
  [
    'A',
    'Pass word-1',
    'Het wachtwoord bevat een spatie, een dubbele punt, een aanhalingsteken of een apostrof.',
    'The password has a space, a colon, a double quote or an apostrophe.',
    'Le mot de passe contient une espace, un deux-points, un guillemet ou une apostrophe.',
  ],
  [
    'B',
    'password1x',
    'Het wachtwoord moet minstens één hoofdletter bevatten.',
    'The password needs at least one capital letter.',
    'Le mot de passe doit contenir au moins une majuscule.',
  ],
  ['B', 'Password-x', ...NO_DIGIT],
] as const)('tell by the rules of Variant %s what is wrong with %j', (variant, password, ...texts) => {
  const rules = RULES[variant];
  const errors = { password: password === '' ? [REQUIRED] : validatePassword(password, rules) };
  const told = (['nl', 'en', 'fr'] as const).map((language) =>
    passwordFaults(errors, PAGE_TEXTS[language], rules),
  );
  expect(told).toEqual(texts.map((text) => ({ password: [text] })));
});
