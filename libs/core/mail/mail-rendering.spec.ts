import { MAIL_TEXTS, renderMail } from './mail-rendering';
import { MAIL_VALUES, type MailLanguage, type MailTemplate } from './mail.types';
import type { Paragraph } from './texts/mail-text';

const LANGUAGES: MailLanguage[] = ['nl', 'en', 'fr'];
const TEMPLATES = Object.keys(MAIL_VALUES) as MailTemplate[];
const CASES = LANGUAGES.flatMap((language) => TEMPLATES.map((template) => ({ language, template })));

const valuesOf = (template: MailTemplate, value: (name: string) => string): Record<string, string> =>
  Object.fromEntries(MAIL_VALUES[template].map((name) => [name, value(name)]));

function textOf(part: Paragraph): string {
  if (typeof part === 'string') return part;
  return 'link' in part ? `{{${part.link}}}` : part.sinceNewerBuild;
}

/** What mails of an older build lack. */
const ADDED: Partial<Record<MailTemplate, readonly string[]>> = { invitation: ['inviter', 'endDate'] };

describe('renderMail', () => {
  it('has every mail in every language', () => {
    for (const language of LANGUAGES)
      expect(Object.keys(MAIL_TEXTS[language]).sort()).toEqual([...TEMPLATES].sort());
  });

  it.each(CASES)('uses every value of $template in $language, and no other', ({ language, template }) => {
    const { subject, paragraphs } = MAIL_TEXTS[language][template];
    const text = [subject, ...paragraphs.map(textOf)].join('');
    const used = new Set([...text.matchAll(/\{\{(.*?)\}\}/g)].map(([, name]) => name));
    expect([...used].sort()).toEqual([...MAIL_VALUES[template]].sort());
  });

  it.each(CASES)('refuses $template in $language without one of its values', ({ language, template }) => {
    for (const missing of MAIL_VALUES[template]) {
      if (ADDED[template]?.includes(missing) === true) continue;
      const values = valuesOf(template, (name) => name);
      delete values[missing];
      expect(() => renderMail(template, language, values)).toThrow();
    }
  });

  it.each(LANGUAGES)(
    'leaves out of an invitation in %s what the build that queued it did not know',
    (language) => {
      const values = valuesOf('invitation', (name) => `<${name}>`);
      const whole = renderMail('invitation', language, values).text;
      for (const name of ['inviter', 'endDate']) expect(whole).toContain(`<${name}>`);
      const { inviter, endDate, ...older } = values;
      const paragraphs = whole.split('\n\n');
      const known = paragraphs.filter(
        (paragraph) => !paragraph.includes(inviter as string) && !paragraph.includes(endDate as string),
      );
      expect(known).toHaveLength(paragraphs.length - 2);
      expect(renderMail('invitation', language, older).text).toBe(known.join('\n\n'));
    },
  );

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
