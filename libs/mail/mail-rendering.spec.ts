import { renderMail } from './mail-rendering';
import type { MailContent, MailLanguage, MailTemplate, MailValues } from './mail.types';

const NEW_LOGIN: Record<keyof MailValues<'newLogin'>, true> = {
  firstName: true,
  username: true,
  at: true,
  address: true,
  country: true,
  system: true,
  browser: true,
};

/** The values of each mail; the compiler demands all of them. */
const SAMPLES: { readonly [Template in MailTemplate]: Record<keyof MailValues<Template>, true> } = {
  reset: { firstName: true, linkMinutes: true, codeMinutes: true, link: true, code: true },
  invitation: { firstName: true, organisation: true, inviter: true, endDate: true, link: true },
  usernameChanged: { firstName: true, username: true },
  ownNameChanged: { firstName: true, username: true, linkHours: true, link: true },
  newLogin: NEW_LOGIN,
  newLoginWithLink: { ...NEW_LOGIN, linkHours: true, link: true },
  notification: { organisation: true, subject: true, text: true },
  linkedNotification: { organisation: true, subject: true, text: true, links: true },
  ownNotification: { organisation: true, subject: true, text: true },
};

const LANGUAGES: MailLanguage[] = ['nl', 'en', 'fr'];
const TEMPLATES = Object.keys(SAMPLES) as MailTemplate[];
const CASES = LANGUAGES.flatMap((language) => TEMPLATES.map((template) => ({ language, template })));

const valuesOf = (template: MailTemplate, value: (name: string) => string): Record<string, string> =>
  Object.fromEntries(Object.keys(SAMPLES[template]).map((name) => [name, value(name)]));

const render = (template: string, language: MailLanguage, values: Record<string, string>) =>
  renderMail({ template, values } as MailContent, language);

/** What mails lack that a build before version 1.1 has queued. */
const ADDED: Partial<Record<MailTemplate, readonly string[]>> = { invitation: ['inviter', 'endDate'] };

describe('renderMail', () => {
  it('writes text and HTML', () => {
    expect(
      render('notification', 'en', { organisation: 'A&B', subject: 'News', text: 'One.\nTwo.' }),
    ).toEqual({
      subject: 'News',
      text: 'One.\nTwo.\n\nYou receive this message because you are a contact of A&B. Your contacts say which messages you get.\n',
      html: [
        '<!DOCTYPE html>',
        '<html lang="en">',
        '<head><meta charset="utf-8"><title>News</title></head>',
        '<body>',
        '<p>One.<br>',
        'Two.</p>',
        '<p>You receive this message because you are a contact of A&amp;B. Your contacts say which messages you get.</p>',
        '</body>',
        '</html>',
        '',
      ].join('\n'),
    });
  });

  it('makes an anchor of each link of a paragraph', () => {
    const values = valuesOf('linkedNotification', (name) =>
      name === 'links' ? 'https://a\nhttps://b' : name,
    );
    expect(render('linkedNotification', 'nl', values).html).toContain(
      '<p><a href="https://a">https://a</a><br>\n<a href="https://b">https://b</a></p>',
    );
  });

  it.each(CASES)('uses every value of $template in $language', ({ language, template }) => {
    const { subject, text } = render(
      template,
      language,
      valuesOf(template, (name) => `<${name}>`),
    );
    for (const name of Object.keys(SAMPLES[template])) expect(subject + text).toContain(`<${name}>`);
  });

  it.each(CASES)('refuses $template in $language without one of its values', ({ language, template }) => {
    for (const missing of Object.keys(SAMPLES[template])) {
      if (ADDED[template]?.includes(missing) === true) continue;
      const values = valuesOf(template, (name) => name);
      delete values[missing];
      expect(() => render(template, language, values)).toThrow(`A ${template} mail lacks its ${missing}`);
    }
  });

  it('refuses a mail that only a newer build knows', () => {
    expect(() => render('greeting', 'nl', {})).toThrow('There is no greeting mail in nl');
  });

  it.each(LANGUAGES)(
    'leaves out of an invitation in %s what the build that queued it did not know',
    (language) => {
      const values = valuesOf('invitation', (name) => `<${name}>`);
      const whole = render('invitation', language, values).text;
      for (const name of ['inviter', 'endDate']) expect(whole).toContain(`<${name}>`);
      const { inviter, endDate, ...older } = values;
      const paragraphs = whole.split('\n\n');
      const known = paragraphs.filter(
        (paragraph) => !paragraph.includes(inviter as string) && !paragraph.includes(endDate as string),
      );
      expect(known).toHaveLength(paragraphs.length - 2);
      expect(render('invitation', language, older).text).toBe(known.join('\n\n'));
    },
  );

  it.each(CASES)('escapes HTML in $template in $language', ({ language, template }) => {
    const { html, text } = render(
      template,
      language,
      valuesOf(template, () => `<b a="'">&{{x}}`),
    );
    expect(html).not.toContain('<b a');
    expect(html).toContain('&lt;b a&#x3D;&quot;&#x27;&quot;&gt;&amp;{{x}}');
    expect(text).toContain(`<b a="'">&{{x}}`);
  });

  it.each(CASES)('keeps the subject of $template in $language on one line', ({ language, template }) => {
    const { subject } = render(
      template,
      language,
      valuesOf(template, () => 'a\r\nBcc: x@y.example\0\u2028b'),
    );
    // eslint-disable-next-line no-control-regex -- control characters are what it looks for
    expect(subject).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
  });
});
