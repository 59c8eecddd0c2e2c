import { MAIL_TEXTS, renderMail } from './mail-rendering';
import { MAIL_VALUES, type MailLanguage, type MailTemplate } from './mail.types';

const LANGUAGES: MailLanguage[] = ['nl', 'en', 'fr'];
const TEMPLATES = Object.keys(MAIL_VALUES) as MailTemplate[];
const CASES = LANGUAGES.flatMap((language) => TEMPLATES.map((template) => ({ language, template })));

const valuesOf = (template: MailTemplate, value: (name: string) => string): Record<string, string> =>
  Object.fromEntries(MAIL_VALUES[template].map((name) => [name, value(name)]));

describe('renderMail', () => {
  it('has every mail in every language', () => {
    for (const language of LANGUAGES)
      expect(Object.keys(MAIL_TEXTS[language]).sort()).toEqual([...TEMPLATES].sort());
  });

  it.each(CASES)('uses every value of $template in $language, and no other', ({ language, template }) => {
    const { subject, paragraphs } = MAIL_TEXTS[language][template];
    const text = [
      subject,
      ...paragraphs.map((part) => (typeof part === 'string' ? part : `{{${part.link}}}`)),
    ].join('');
    const used = new Set([...text.matchAll(/\{\{(.*?)\}\}/g)].map(([, name]) => name));
    expect([...used].sort()).toEqual([...MAIL_VALUES[template]].sort());
  });

  it.each(CASES)('refuses $template in $language without one of its values', ({ language, template }) => {
    for (const missing of MAIL_VALUES[template]) {
      const values = valuesOf(template, (name) => name);
      delete values[missing];
      expect(() => renderMail(template, language, values)).toThrow();
    }
  });

  it.each(CASES)('escapes HTML in $template in $language', ({ language, template }) => {
    const { html, text } = renderMail(
      template,
      language,
      valuesOf(template, () => `<b a="'">&{{x}}`),
    );
    expect(html).not.toContain('<b a');
    expect(html).toContain('&lt;b a&#x3D;&quot;&#x27;&quot;&gt;&amp;{{x}}');
    expect(text).toContain(`<b a="'">&{{x}}`);
  });

  it.each(CASES)('keeps the subject of $template in $language on one line', ({ language, template }) => {
    const { subject } = renderMail(
      template,
      language,
      valuesOf(template, () => 'a\r\nBcc: x@y.example\0\u2028b'),
    );
    // eslint-disable-next-line no-control-regex -- control characters are what it looks for
    expect(subject).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
  });
});
