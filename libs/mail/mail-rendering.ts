import { addressForPeople } from '@app/formats/email-domains';
import { withPanel } from '@app/formats/panel-link';
import type {
  CallToAction,
  MailContent,
  MailLanguage,
  MailTemplate,
  MailText,
  MailTexts,
  Paragraph,
} from './mail.types';
import { htmlMail } from './mail-html';
import { ENGLISH } from './mail-texts.en';
import { FRENCH } from './mail-texts.fr';
import { DUTCH } from './mail-texts.nl';
import type { MailMessage } from './mail-transport';
import { NOT_IN_A_LINE, unlinked } from './mail-values';
import { HELP, pageLink, type Sender, supportText } from './sender';

const MAIL_TEXTS: Readonly<Record<MailLanguage, MailTexts>> = { nl: DUTCH, en: ENGLISH, fr: FRENCH };
/** The texts, indexed by any text, because mails from other builds may have other languages and templates. */
const KNOWN: Readonly<Record<string, Readonly<Record<string, unknown>>>> = MAIL_TEXTS;

type Values = Readonly<Record<string, string>>;

/**
 * Values that users choose. Mails about a notification have them in their text, which its writer has made.
 */
const CHOSEN_BY_USERS = new Set(['fullName', 'organisation', 'inviter', 'serviceKey', 'username']);
const NOTIFICATIONS: ReadonlySet<string> = new Set<MailTemplate>([
  'notification',
  'linkedNotification',
  'ownNotification',
]);

interface Sending {
  /** What `{panel}` in links stands for. */
  readonly panelUrl?: string | undefined;
  /** The address gets no further mail of this kind for now, and is told so (rule notifications 35). */
  readonly isLast?: boolean;
}

/**
 * Writes a mail; its subject has one line. Throws if a value is missing: an incomplete mail
 * is worse than a late one.
 */
export function renderMail(
  { template, values }: MailContent,
  language: MailLanguage,
  sender: Sender,
  { panelUrl = sender.panelUrl, isLast = false }: Sending = {},
): Pick<MailMessage, 'subject' | 'text' | 'html'> {
  const write = KNOWN[language]?.[template] as ((mail: Values) => MailText) | undefined;
  if (write === undefined) throw new Error(`There is no ${template} mail in ${language}`);
  const [line, ...written] = write(
    complete(template, { ...values, company: sender.companyName ?? '' }, panelUrl),
  );
  const subject = line.replace(NOT_IN_A_LINE, ' ').trim();
  const all = isLast ? [...written, LAST_OF_KIND[language]] : written;
  const paragraphs = all.flatMap((paragraph) => withLinks(paragraph, sender));
  return {
    subject,
    text: `${[...paragraphs.map(linesOf), ...footOf(language, sender)].join('\n\n')}\n`,
    html: htmlMail({ language, subject, paragraphs }, sender),
  };
}

/** What the last mail of a kind in an hour says. */
const LAST_OF_KIND: Readonly<Record<MailLanguage, string>> = {
  nl: 'Over verdere gebeurtenissen van deze soort krijgt u het komende uur geen e-mail meer: u vindt ze bij de meldingen in het klantenpaneel.',
  en: 'For the next hour you will get no more e-mail about events of this kind: you will find them under the notifications in the control panel.',
  fr:
    'Pendant l’heure qui vient, vous ne recevrez plus d’e-mail sur des événements de ce genre : ' +
    'vous les trouverez dans les notifications du panneau de contrôle.',
};

/** Throws for a value that a mail from another build lacks. The compiler checks new mails. */
const complete = (template: string, values: Values, panelUrl: string | undefined): Values =>
  new Proxy(values, {
    get(target, name: string) {
      if (!Object.hasOwn(target, name)) throw new Error(`A ${template} mail lacks its ${name}`);
      const stored = target[name] as string;
      if (name === 'link') return withPanel(stored, panelUrl);
      const value = name === 'username' ? addressForPeople(stored) : stored;
      return CHOSEN_BY_USERS.has(name) && !NOTIFICATIONS.has(template) ? unlinked(value) : value;
    },
  });

/** The paragraph with the links of its buttons; nothing if the settings have no link. */
function withLinks(paragraph: Paragraph, sender: Sender): Exclude<Paragraph, CallToAction>[] {
  if (typeof paragraph === 'string') return [paragraph];
  if ('link' in paragraph) {
    const links = paragraph.link.split('\n').map((link) => pageLink(link, sender));
    return [{ ...paragraph, link: links.join('\n') }];
  }
  const { panelUrl, pages, publicUrl } = sender;
  const newPasswordUrl = pages ? `${publicUrl}/account/password` : panelUrl;
  const url = paragraph.callToAction === 'panel' ? panelUrl : newPasswordUrl;
  return url === undefined ? [] : [{ link: pageLink(url, sender), label: paragraph.label }];
}

const linesOf = (paragraph: Exclude<Paragraph, CallToAction>): string =>
  typeof paragraph === 'string' ? paragraph : paragraph.link;

/** Company and help, after the line that separates signatures (RFC 3676). */
function footOf(language: MailLanguage, { companyName, supportUrl }: Sender): string[] {
  const help =
    supportUrl && `${HELP[language]} ${/^mailto:/.test(supportUrl) ? supportText(supportUrl) : supportUrl}`;
  const lines = [companyName, help].filter((line) => line !== undefined);
  return lines.length === 0 ? [] : [['-- ', ...lines].join('\n')];
}
