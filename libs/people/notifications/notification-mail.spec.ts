import type { MailLanguage } from '@app/mail/mail.types';
import { renderMail } from '@app/mail/mail-rendering';
import type { Sender } from '@app/mail/sender';
import { DECLARED_KINDS, kindNamed } from '../../../test/support/generators/notification-kinds';
import { LANGUAGES, SAMPLE_SENDER, sampleMails } from '../../../test/support/generators/sample-mails';
import { type DeliveredNotification, notificationMail } from './notification-mail';

const SENDER: Sender = {
  companyName: 'Hoster',
  supportUrl: 'https://help.example',
  panelUrl: 'https://panel.example/',
  publicUrl: 'https://api.example',
  pages: true,
  timeZone: 'Europe/Brussels',
};

const OPERATOR = { companyName: 'Operator', supportUrl: 'https://help.operator.example' };

const DELIVERED: Omit<DeliveredNotification, 'kind' | 'language'> = {
  recipientKind: 'own',
  recipientName: 'Lotte Janssens',
  organisation: 'Imprimerie Élan',
  isRedacted: false,
  links: [],
  entityId: 12,
  entityName: 'lotte@elan.example',
  isWritten: false,
  subject: null,
  params: {},
  actor: 'Lotte Janssens',
  isOwnAct: true,
  owner: 'Lotte Janssens',
  at: new Date('2026-11-28T13:05:00Z'),
};

/** Of an address that comes or goes with the event. */
const OR_WAS = /contact is of was van|is or was a contact|est ou a été un contact/;

const mailOf = (name: string, language: MailLanguage, delivered: Partial<DeliveredNotification> = {}) =>
  renderMail(
    notificationMail({ ...DELIVERED, kind: kindNamed(name), language, ...delivered }, SENDER, OPERATOR),
    language,
    SENDER,
  );

describe('the mail about a changed password', () => {
  it.each([
    [
      'nl',
      'Wachtwoord gewijzigd',
      [
        'Beste Lotte Janssens,',
        'Het wachtwoord van uw account “lotte@elan.example” is gewijzigd door “Lotte Janssens” op 28 november 2026 om 14:05 CET.',
        'Was u dit niet? Kies dan meteen een nieuw wachtwoord. Daarmee eindigen alle aanmeldingen bij uw account.',
        'https://api.example/account/password',
      ],
    ],
    [
      'en',
      'Password changed',
      [
        'Dear Lotte Janssens,',
        'The password of your account “lotte@elan.example” was changed by “Lotte Janssens” on 28 November 2026 at 14:05 CET.',
        'If this wasn’t you, choose a new password at once. That ends all logins to your account.',
        'https://api.example/account/password',
      ],
    ],
    [
      'fr',
      'Mot de passe modifié',
      [
        'Bonjour Lotte Janssens,',
        'Le mot de passe de votre compte «\u00a0lotte@elan.example\u00a0» a été modifié par «\u00a0Lotte Janssens\u00a0» le 28 novembre 2026 à 14:05 CET.',
        'Ce n’était pas vous ? Choisissez immédiatement un nouveau mot de passe. Toutes les connexions à votre compte prendront fin.',
        'https://api.example/account/password',
      ],
    ],
  ] as const)('tells its user what happened, when, by whom, and what to do: %s', (language, title, first) => {
    const { subject, text, html } = mailOf('User.password_changed', language);
    expect(subject).toBe(title);
    expect(text.split('\n\n').slice(0, 4)).toEqual(first);
    expect(html).toContain('<a href="https://api.example/account/password" ');
  });

  it('advises a user whose password somebody else changed to ask a manager', () => {
    const told = { actor: 'Piet Bos', isOwnAct: false };
    const { text } = mailOf('User.password_changed', 'en', told);
    expect(text).toContain('was changed by “Piet Bos” on 28 November 2026');
    expect(text).toContain('If this is a mistake, please contact a manager of your organisation.');
    expect(text).not.toContain('/account/password');
  });

  it('leads the contacts to the panel, and greets nobody by name', () => {
    const contact = { recipientKind: 'contact', recipientName: '' } as const;
    const { text } = mailOf('User.password_changed', 'en', contact);
    expect(text.split('\n\n').slice(0, 4)).toEqual([
      'Hello,',
      'The password of the user “lotte@elan.example” was changed by “Lotte Janssens” on 28 November 2026 at 14:05 CET.',
      'If this looks wrong, please check with the user. A manager can disable the account in the control panel.',
      'https://panel.example/',
    ]);
  });

  it('says nothing of who did it where nobody was logged in', () => {
    const { text } = mailOf('User.password_changed', 'en', { actor: null });
    expect(text).toContain('“lotte@elan.example” was changed on 28 November 2026 at 14:05 CET.');
  });

  it.each([
    ['nl', 'wachtwoord gewijzigd', ' op 28 november 2026 om 14:05 CET '],
    ['en', 'password changed', ' on 28 November 2026 at 14:05 CET '],
    ['fr', 'mot de passe modifié', ' le 28 novembre 2026 à 14:05 CET '],
  ] as const)('names nobody to an unverified address: %s', (language, what, when) => {
    const { text } = mailOf('User.password_changed', language, { isRedacted: true });
    expect(text).toContain(what);
    expect(text).toContain(when);
    expect(text).not.toMatch(/lotte|janssens/i);
  });
});

it.each([
  ['nl', 'Neem dan contact op met Operator (help.operator.example).'],
  ['en', 'please contact Operator (help.operator.example).'],
  ['fr', 'Contactez Operator (help.operator.example).'],
] as const)('asks the operator about its staff, whoever sends the mail: %s', (language, advice) => {
  for (const recipientKind of ['own', 'contact'] as const) {
    const { text } = mailOf('User.support_login', language, { recipientKind, actor: null });
    expect(text).toContain(advice);
  }
});

it.each([
  ['nl', 'de gebruikersnaam is van uw account bij Hoster (organisatie “Imprimerie Élan”).'],
  ['en', 'the user name of your account with Hoster (organisation “Imprimerie Élan”).'],
  ['fr', 'de votre compte chez Hoster (organisation «\u00a0Imprimerie Élan\u00a0»).'],
] as const)('says with whom the account is, and of which organisation: %s', (language, why) => {
  expect(mailOf('User.password_changed', language).text).toContain(why);
});

it.each(LANGUAGES)('greets a user alike in every mail to it: %s', (language) => {
  const mails = sampleMails(language).map(({ text }) => text.split('\n')[0] ?? '');
  const named = new Set(mails.filter((line) => line.includes('Lotte')));
  expect([...named]).toEqual([`${{ nl: 'Beste', en: 'Dear', fr: 'Bonjour' }[language]} Lotte Janssens,`]);
});

it.each([
  ['nl', ' Verstuurd door “unblock at evil. example”.', 'een contact is van “Van Dijk evil. example”. '],
  ['en', ' Sent by “unblock at evil. example”.', 'a contact of “Van Dijk evil. example”. '],
  [
    'fr',
    ' Envoyé par «\u00a0unblock at evil. example\u00a0».',
    'un contact de l’organisation «\u00a0Van Dijk evil. example\u00a0». ',
  ],
] as const)('quotes who wrote a post, and the organisation: %s', (language, by, why) => {
  const post = {
    ...DELIVERED,
    kind: { group: 'Crm', type: 'x' },
    language,
    recipientKind: 'contact',
    recipientName: '',
    isWritten: true,
    params: { message: 'See www.shop.example.' },
    actor: 'unblock at evil.example',
    organisation: 'Van Dijk evil.example',
  } as const;
  const { text } = renderMail(notificationMail(post, SENDER, OPERATOR), language, SENDER);
  expect(text.startsWith(`See www.shop.example.${by}`)).toBe(true);
  expect(text).toContain(why);
  const long = { ...post, actor: 'a'.repeat(51), organisation: 'b'.repeat(51) };
  const cut = renderMail(notificationMail(long, SENDER, OPERATOR), language, SENDER).text;
  for (const letter of ['a', 'b']) expect(cut).toMatch(new RegExp(`[“\u00a0]${letter}{49}…[”\u00a0]`));
});

it('names a key’s user once, and a record whose name is gone by its number', () => {
  const contact = { recipientKind: 'contact', entityName: 'deploy' } as const;
  expect(mailOf('ApiKey.new', 'en', contact).text).toContain(
    'The API key “deploy” of the user “Lotte Janssens” was created by the user on 28 November',
  );
  expect(mailOf('ApiKey.new', 'en', { ...contact, entityName: '', owner: null, actor: null }).text).toContain(
    'The API key no. 12 was created on 28 November',
  );
  const params = { user: 34 };
  const { text } = mailOf('User.deleted', 'nl', { ...contact, entityName: '', params });
  expect(text).toContain('Gebruiker nr. 34 is verwijderd');
  expect(text).not.toContain('Gebruiker: 34');
});

it('says in its sentence when a key ends, and refuses to leave that out', () => {
  const params = { expires: '2026-12-05 11:00 UTC' };
  const { text } = mailOf('ApiKey.ends_in_7_days', 'en', { entityName: 'deploy', params, actor: null });
  expect(text).toContain('expires on 5 December 2026 at 12:00 CET. Programs');
  expect(text).not.toContain('Expires on:');
  expect(() => mailOf('ApiKey.ends_in_7_days', 'en')).toThrow('The notification lacks its expires');
});

it('cuts the subject that has the name of a document', () => {
  const { subject } = mailOf('Document.sent', 'en', {
    recipientKind: 'contact',
    entityName: 'é'.repeat(255),
  });
  expect(subject).toBe(`New document (${'é'.repeat(255 - 14)}`);
});

describe.each(LANGUAGES)('every mail in %s', (language) => {
  const mails = sampleMails(language);

  it('greets first, then says more than its subject', () => {
    for (const { name, subject, text } of mails) {
      const [greeting, sentence = ''] = text.split('\n\n');
      expect([name, greeting]).toEqual([
        name,
        expect.stringMatching(/^(?:Goedendag|Beste|Hello|Dear|Bonjour)/),
      ]);
      expect([name, sentence.startsWith(subject)]).toEqual([name, false]);
      if (name.includes('(') && !name.startsWith('Grant.'))
        expect([name, sentence]).toEqual([name, expect.stringContaining(' 2026 ')]);
    }
  });

  it('leaves no place unfilled, and has no gap', () => {
    for (const { name, text } of mails)
      expect([name, text]).toEqual([name, expect.not.stringMatching(/[{}]| {2}| [.,]/)]);
  });

  it('says of nothing that a person took its place', () => {
    for (const { name, text } of mails)
      expect([name, text]).toEqual([
        name,
        expect.not.stringMatching(/(?:vervangen door|replaced by|remplacée? par) [“«]/),
      ]);
  });

  it('calls no address that may have gone a contact that chooses its messages', () => {
    const gone = mails.filter(({ name }) => name.endsWith('(address that goes)'));
    expect(gone.length).toBeGreaterThan(4);
    for (const { name, text } of gone) expect([name, text]).toEqual([name, expect.stringMatching(OR_WAS)]);
  });

  it('leads from an unverified address to the panel', () => {
    const bare = mails.filter(({ name }) => name.endsWith('(unverified)'));
    expect(bare.length).toBeGreaterThan(25);
    for (const { name, text } of bare)
      expect([name, text]).toEqual([name, expect.stringContaining(`\n${SAMPLE_SENDER.panelUrl}\n`)]);
  });

  it('elides no word before a name', () => {
    for (const { text } of mails) expect(text).not.toMatch(/\b(?:de|que|le|la|je|ne|se) «/i);
  });
});

it.each(LANGUAGES)(
  'begins its sentence with a word where the record has no name any more: %s',
  (language) => {
    const gone = { recipientKind: 'contact', entityName: '', owner: null, actor: null } as const;
    const params = { expires: '2026-12-05 11:00 UTC' };
    for (const { name } of DECLARED_KINDS) {
      const [, sentence = ''] = mailOf(name, language, { ...gone, params }).text.split('\n\n');
      expect([name, sentence]).toEqual([name, expect.stringMatching(/^\p{Lu}/u)]);
    }
  },
);

it('says in English what to do if something is so, and asks no question that it answers itself', () => {
  for (const { name, text } of sampleMails('en'))
    expect([name, text]).toEqual([name, expect.not.stringMatching(/\?\s[A-Z]/)]);
});

it('has one sentence in its redacted words, and says of what falls due that it is about the account', () => {
  const { text } = mailOf('ApiKey.ends_in_7_days', 'nl', { isRedacted: true });
  expect(text).toContain(
    'Dit bericht van 28 november 2026 om 14:05 CET gaat over het account dat dit adres als gebruikersnaam heeft: API-sleutel verloopt binnen 7 dagen.',
  );
  expect(mailOf('Passkey.removed_by_reset', 'fr', { isRedacted: true }).text).toContain(
    ' : clé d’accès supprimée avec le nouveau mot de passe – elle datait de moins d’une semaine.',
  );
});

it('has the same places in every language', () => {
  const placesOf = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort();
  for (const { name, kind } of DECLARED_KINDS)
    for (const sentence of [kind.sentence, kind.toUser?.sentence ?? kind.sentence]) {
      const [dutch, ...others] = sentence.map(placesOf);
      for (const places of others) expect([name, places]).toEqual([name, dutch]);
    }
});
