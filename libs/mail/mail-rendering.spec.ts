import type { MailContent, MailLanguage, MailTemplate, MailValues } from './mail.types';
import { renderMail } from './mail-rendering';
import { HELP, type Sender } from './sender';

const NEW_LOGIN: Record<keyof MailValues<'newLogin'>, true> = {
  fullName: true,
  username: true,
  at: true,
  address: true,
  country: true,
  system: true,
  browser: true,
  serviceKey: true,
};

/** The values of each mail that it cannot do without; the compiler demands all of them. */
const SAMPLES: {
  readonly [Template in MailTemplate]: Record<
    Exclude<keyof MailValues<Template>, 'callToAction' | 'when' | 'contact'>,
    true
  >;
} = {
  reset: {
    fullName: true,
    username: true,
    organisation: true,
    linkMinutes: true,
    codeMinutes: true,
    link: true,
    code: true,
  },
  invitation: { organisation: true, inviter: true, endDate: true, link: true },
  welcome: { fullName: true, organisation: true, username: true },
  usernameChanged: { fullName: true, username: true },
  ownNameChanged: { fullName: true, username: true },
  newLogin: NEW_LOGIN,
  newLoginWithLink: { ...NEW_LOGIN, linkHours: true, link: true },
  notification: { organisation: true, subject: true, text: true },
  linkedNotification: { organisation: true, subject: true, text: true, links: true },
  ownNotification: { organisation: true, subject: true, text: true },
  usernameLink: { linkHours: true, link: true },
  unverifiedNotification: { subject: true, text: true },
  hiddenMessage: {},
};

const LANGUAGES: MailLanguage[] = ['nl', 'en', 'fr'];
const TEMPLATES = Object.keys(SAMPLES) as MailTemplate[];
const CASES = LANGUAGES.flatMap((language) => TEMPLATES.map((template) => ({ language, template })));

const valuesOf = (template: MailTemplate, value: (name: string) => string): Record<string, string> =>
  Object.fromEntries(Object.keys(SAMPLES[template]).map((name) => [name, value(name)]));

const NOBODY: Sender = {
  companyName: undefined,
  supportUrl: undefined,
  panelUrl: undefined,
  publicUrl: 'https://api.example',
  pages: true,
  timeZone: 'Europe/Brussels',
};

const render = (template: string, language: MailLanguage, values: Record<string, string>, sender = NOBODY) =>
  renderMail({ template, values } as MailContent, language, sender);

const paragraphsOf = (html: string): (string | undefined)[] =>
  [...html.matchAll(/<p [^>]*>([^]*?)<\/p>/g)].map(([, text]) => text);

const buttonsOf = (html: string): (string | undefined)[][] =>
  [...html.matchAll(/<p [^>]*><a href="([^"]*)" [^>]*>([^<]*)<\/a><\/p>/g)].map(([, url, label]) => [
    url,
    label,
  ]);

describe('renderMail', () => {
  it('writes text and HTML, with nothing at head and foot where the settings name nobody', () => {
    const { subject, text, html } = render('notification', 'en', {
      organisation: 'A&B',
      subject: 'News',
      text: 'One.\nTwo.\n\nThree.',
    });
    const why = (name: string) =>
      `You are receiving this message because this address is a contact of ${name}. In the control panel you choose which messages each contact gets.`;
    expect(subject).toBe('News');
    expect(text).toBe(`One.\nTwo.\n\nThree.\n\n${why('A&B')}\n`);
    expect(html).toContain('<html lang="en">');
    expect(html).toContain('<title>News</title>');
    expect(paragraphsOf(html)).toEqual(['One.<br>\nTwo.', 'Three.', why('A&amp;B')]);
    expect(html.match(/<td/g)).toHaveLength(2);
  });

  it('makes a button of each link of a paragraph, named after its kind of file', () => {
    const links = ['https://a/v1/downloadpdf/1/2/h', 'https://a/v1/downloadxml/1/2/h'];
    const values = valuesOf('linkedNotification', (name) => (name === 'links' ? links.join('\n') : name));
    const { html, text } = render('linkedNotification', 'nl', values);
    expect(buttonsOf(html)).toEqual([
      [links[0], 'Document openen (PDF)'],
      [links[1], 'Document openen (XML)'],
    ]);
    expect(text).toContain(`\n${links.join('\n')}\n`);
    const [link] = links;
    const one = render('linkedNotification', 'nl', { ...values, links: link ?? '' });
    expect(buttonsOf(one.html)).toEqual([[link, 'Document openen']]);
  });

  it.each(LANGUAGES)('names company, help and panel of the settings, escaped, in %s', (language) => {
    const sender: Sender = {
      ...NOBODY,
      companyName: 'A&B "<i>"',
      panelUrl: 'https://panel.example/?a=1&b="',
      supportUrl: 'mailto:%22a%22@example.com',
    };
    const { html, text } = render(
      'newLogin',
      language,
      valuesOf('newLogin', (name) => name),
      sender,
    );
    expect(html).toContain('>A&amp;B &quot;&lt;i&gt;&quot;</td>');
    expect(buttonsOf(html).map(([url]) => url)).toEqual([
      'https://panel.example/?a&#x3D;1&amp;b&#x3D;&quot;',
    ]);
    expect(html).toMatch(/<a href="mailto:%22a%22@example.com" style="[^"]*">&quot;a&quot;@example.com<\/a>/);
    const foot = new RegExp(`\n\n-- \nA&B "<i>"\n${HELP[language].replace('?', '\\?')} "a"@example.com\n$`);
    expect(text).toMatch(foot);
    expect(text).toContain('\nhttps://panel.example/?a=1&b="\n');
  });

  it.each([
    ['panel', 'https://panel.example/', 'Go to the control panel'],
    ['newPassword', 'https://api.example/account/password', 'Choose a new password'],
  ] as const)('puts the button of the advice of a notification under it: %s', (callToAction, url, label) => {
    const sender = { ...NOBODY, panelUrl: 'https://panel.example/' };
    const values = { organisation: 'A', subject: 'S', text: 'T', callToAction };
    const { html, text } = render('ownNotification', 'en', values, sender);
    expect(buttonsOf(html)).toEqual([[url, label]]);
    expect(text.startsWith(`T\n\n${url}\n\nYou are receiving`)).toBe(true);
  });

  it.each([
    ['nl', 'Uitnodiging voor het klantenpaneel van Hoster', 'Uitnodiging voor het klantenpaneel'],
    ['en', 'Invitation to the control panel of Hoster', 'Invitation to the control panel'],
    ['fr', 'Hoster : invitation au panneau de contrôle', 'Invitation au panneau de contrôle'],
  ] as const)(
    'names the company in the subject of an invitation, if the settings do: %s',
    (language, ...subjects) => {
      const values = valuesOf('invitation', (name) => name);
      const named = render('invitation', language, values, { ...NOBODY, companyName: 'Hoster' });
      expect([named.subject, render('invitation', language, values).subject]).toEqual(subjects);
    },
  );

  it('keeps French marks on the line of their word', () => {
    const values = {
      organisation: 'O',
      subject: 'Suspendue : fin',
      text: 'Motif : « a » ; quoi ? Là ! b : //c',
    };
    const { html, text } = render('notification', 'fr', values);
    expect(text).toContain(values.text);
    expect(html).toContain('<title>Suspendue\u00a0: fin</title>');
    expect(html).toContain('Motif\u00a0: « a\u00a0»\u00a0; quoi\u00a0? Là\u00a0! b\u00a0: //c');
    expect(render('notification', 'nl', values).html).toContain(values.text);
  });

  it('says when it happened, as far as the mail knows', () => {
    const values = { fullName: 'A B', username: 'a@x.example' };
    const without = render('usernameChanged', 'en', values).text;
    const { text } = render('usernameChanged', 'en', { ...values, when: '1 May 2026 at 14:05 CEST' });
    expect(without).toContain('was changed. You');
    expect(text).toContain('was changed on 1 May 2026 at 14:05 CEST. You');
  });

  it.each([
    ['nl', '1 minuut', '1 uur', '90 minuten', '24 uur'],
    ['en', '1 minute', '1 hour', '90 minutes', '24 hours'],
    ['fr', '1 minute', '1 heure', '90 minutes', '24 heures'],
  ] as const)('has one minute or hour, or many: %s', (language, ...durations) => {
    for (const [index, linkMinutes] of ['1', '60', '90', '1440'].entries()) {
      const values = {
        fullName: 'A',
        username: 'u',
        organisation: 'O',
        linkMinutes,
        codeMinutes: '15',
        link: 'L',
        code: '1',
      };
      const { text } = render('reset', language, values);
      expect(text).toMatch(new RegExp(`\\b${durations[index]}\\b`));
    }
  });

  it.each([
    ['nl', 'een contact is of was van “O”.'],
    ['en', 'is or was a contact of “O”.'],
    ['fr', 'est ou a été un contact de l’organisation “O”.'],
  ] as const)(
    'does not call an address that goes a contact that chooses its messages: %s',
    (language, why) => {
      const values = { organisation: '“O”', subject: 'S', text: 'T', contact: 'removed' };
      expect(render('notification', language, values).text.trim().endsWith(why)).toBe(true);
    },
  );

  it('leads to the page of a lost password only where there are pages', () => {
    const values = valuesOf('newLoginWithLink', (name) => name);
    const page = 'https://api.example/account/password';
    expect(render('newLoginWithLink', 'en', values).text).toContain(`\n\n${page}\n`);
    const without = render('newLoginWithLink', 'en', values, { ...NOBODY, pages: false });
    for (const body of [without.text, without.html]) expect(body).not.toContain(page);
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
      const values = valuesOf(template, (name) => name);
      delete values[missing];
      expect(() => render(template, language, values)).toThrow(`A ${template} mail lacks its ${missing}`);
    }
  });

  it('refuses a mail that only a newer build knows', () => {
    expect(() => render('greeting', 'nl', {})).toThrow('There is no greeting mail in nl');
  });

  it.each(CASES.filter(({ template }) => template !== 'hiddenMessage'))(
    'escapes HTML in $template in $language',
    ({ language, template }) => {
      const { html, text } = render(
        template,
        language,
        valuesOf(template, () => `<b a="'">&{{x}}`),
      );
      expect(html).not.toContain('<b a');
      expect(html).toContain('&lt;b a&#x3D;&quot;&#x27;&quot;&gt;&amp;{{x}}');
      expect(text).toContain(`<b a="'">&{{x}}`);
    },
  );

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
