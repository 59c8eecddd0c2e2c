import type { MailLanguage } from '@app/mail/mail.types';
import { renderMail } from '@app/mail/mail-rendering';
import { DECLARED_KINDS } from '../../../test/support/generators/notification-kinds';
import type { Phrase } from './notification-kind';
import { type Addressee, type DescribedEvent, notificationText } from './notification-text';

const SENDER = { companyName: undefined, supportUrl: undefined, timeZone: 'UTC' } as never;

const LURE = 'HTTPS://evil.example/59 “you won”\r\nat WWW.evil.example and www.evil.example';
const HARMLESS = "HTTPS: //evil.example/59 'you won' at WWW .evil.example and www .evil.example";

const QUOTED: Readonly<Record<MailLanguage, string>> = {
  nl: `“${HARMLESS}”`,
  en: `“${HARMLESS}”`,
  fr: `«\u00a0${HARMLESS}\u00a0»`,
};
const LANGUAGES = ['nl', 'en', 'fr'] as const;
const CONTACTS: Addressee = { isUser: false, name: '' };
const USER: Addressee = { isUser: true, name: LURE };

/** The subject of a mail with a document has the name that its writer gave it. */
const KINDS = DECLARED_KINDS.filter(({ name }) => name !== 'Document.sent').flatMap(({ name, kind }) => [
  { name, whom: 'contacts', kind, reader: CONTACTS, sentence: kind.sentence },
  ...(kind.toUser === undefined
    ? []
    : [{ name, whom: 'its user', kind, reader: USER, sentence: kind.toUser.sentence }]),
]);

/** An event whose every word a user chose. */
function lureOf(kind: DescribedEvent['kind']): DescribedEvent {
  return {
    kind,
    entityId: 1,
    entityName: LURE,
    subject: LURE,
    actor: LURE,
    isOwnAct: false,
    owner: LURE,
    at: new Date('2026-11-28T13:05:00Z'),
    isWritten: false,
    params: {
      reason: LURE,
      subject: LURE,
      message: LURE,
      count: 7,
      expires: '2027-01-31 23:59 UTC',
    },
  };
}

/** The texts of users that a sentence has a place for: the record, its user, and who did it. */
const namesIn = (sentence: Phrase): number => sentence[0].split(/\{(?:record|whose|done)\}/).length - 1;

const LINK = /:\/\/|www\./i;

it('gives a param the same words in all kinds', () => {
  const words = DECLARED_KINDS.flatMap(({ kind }) => Object.entries(kind.params ?? {}));
  expect(words.length).toBeGreaterThan(20);
  for (const [param, phrase] of words)
    expect([param, Object.fromEntries(words)[param]]).toEqual([param, phrase]);
});

describe.each(LANGUAGES)('the service’s own notifications in %s', (language) => {
  it.each(KINDS)('of $name has no word of a user as subject, and quotes it to $whom', (worded) => {
    const { kind, reader, sentence } = worded;
    const { subject, text } = notificationText(lureOf(kind), reader, language, SENDER, SENDER);
    expect(subject).toBe(kind.heading[LANGUAGES.indexOf(language)]);
    const values = { organisation: 'O', subject, text };
    const mail = renderMail({ template: 'notification', values }, language, SENDER);
    for (const part of [mail.subject, mail.text, mail.html.replace('<!DOCTYPE html>', '')])
      expect(part).not.toMatch(LINK);
    // What the sentence names, and each text of the params.
    expect(mail.text.split(QUOTED[language])).toHaveLength(1 + namesIn(sentence) + 3);
    expect(mail.text).not.toContain('evil.example.');
    expect(mail.text).toMatch(/: 7$/m);
  });

  it('says in the last mail of its kind that no more follows, and where to look', () => {
    const values = { organisation: 'O', subject: 'S', text: 'T' };
    const textOf = (isLast: boolean) =>
      renderMail({ template: 'notification', values }, language, SENDER, { isLast }).text;
    expect(textOf(true).startsWith(textOf(false).trim())).toBe(true);
    const added = textOf(true).slice(textOf(false).trim().length);
    expect(added).toMatch(
      /meldingen in het klantenpaneel|notifications in the control|notifications du panneau/,
    );
  });

  it('leaves what a program or a manager wrote as it is, and makes no link of who did', () => {
    const written = { ...lureOf({ group: 'System', type: 'maintenance' }), isWritten: true, subject: null };
    const { subject, text } = notificationText(written, CONTACTS, language, SENDER, SENDER);
    expect(subject).toBe(LURE);
    expect(text.startsWith(`${LURE} `)).toBe(true);
    expect(text).toContain(`reason: ${LURE}`);
    const [told = ''] = text.split('\nreason: ');
    expect(told.slice(LURE.length)).not.toMatch(LINK);
  });

  it('makes no link of a name in any other mail', () => {
    const names = { fullName: LURE, organisation: LURE, inviter: LURE, username: LURE };
    const links = { link: 'https://www.panel.example/1', linkHours: '72' };
    const mails = [
      renderMail({ template: 'usernameChanged', values: names }, language, SENDER),
      renderMail({ template: 'invitation', values: { ...names, ...links, endDate: '1' } }, language, SENDER),
      renderMail({ template: 'ownNameChanged', values: { ...names, ...links } }, language, SENDER),
    ];
    for (const { subject, text, html } of mails) {
      for (const part of [subject, text, html]) expect(part.replaceAll(links.link, '')).not.toMatch(LINK);
    }
    expect(mails[1]?.text).toContain(links.link);
  });
});
