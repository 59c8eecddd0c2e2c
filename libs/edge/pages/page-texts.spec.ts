import type { MailLanguage } from '@app/mail/mail.types';
import { renderMail } from '@app/mail/mail-rendering';
import { VARIANT_A_PASSWORD_RULES, VARIANT_B_PASSWORD_RULES } from '@app/security/passwords/password-rules';
import { PAGE_TEXTS } from './page-texts';

const LANGUAGES = ['nl', 'en', 'fr'] as const satisfies readonly MailLanguage[];

const link = 'https://api.example/account';
const SENDER = {
  companyName: undefined,
  supportUrl: undefined,
  panelUrl: undefined,
  publicUrl: 'https://api.example',
  pages: true,
  timeZone: 'Europe/Brussels',
};

it.each(LANGUAGES)(
  'the page of a new password has the subject of its mail as its heading: %s',
  (language) => {
    const reset = {
      fullName: '',
      username: '',
      organisation: '',
      linkMinutes: '60',
      codeMinutes: '15',
      code: '12345678',
      link,
    };
    expect(PAGE_TEXTS[language].password.title).toBe(
      renderMail({ template: 'reset', values: reset }, language, SENDER).subject,
    );
  },
);

it.each(LANGUAGES)('name the rules of each variant alone: %s', (language) => {
  const { passwordRules } = PAGE_TEXTS[language];
  const ofA = passwordRules(VARIANT_A_PASSWORD_RULES);
  const ofB = passwordRules(VARIANT_B_PASSWORD_RULES);
  expect(ofA[0]).toMatch(/\b8\D+29\b/);
  expect(ofB[0]).toMatch(/\b9\D+29\b/);
  expect(ofA).toHaveLength(5);
  expect(ofB).toHaveLength(5);
  // The digit, the forbidden characters and the user name are common to both.
  expect(ofA.filter((rule) => ofB.includes(rule))).toHaveLength(3);
});

it('have every text in every language', () => {
  const shapeOf = (texts: object): string[] =>
    Object.entries(texts)
      .flatMap(([name, value]: [string, unknown]) =>
        typeof value === 'object' && value !== null
          ? shapeOf(value).map((inner) => `${name}.${inner}`)
          : [name],
      )
      .sort();
  expect(shapeOf(PAGE_TEXTS.en)).toEqual(shapeOf(PAGE_TEXTS.nl));
  expect(shapeOf(PAGE_TEXTS.fr)).toEqual(shapeOf(PAGE_TEXTS.nl));
});
