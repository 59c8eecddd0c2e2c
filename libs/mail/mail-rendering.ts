import { htmlMail } from './mail-html';
import type { Lead, MailContent, MailLanguage, MailText, MailTexts, Paragraph } from './mail.types';
import { HELP, type Sender, supportText } from './sender';
import { ENGLISH } from './mail-texts.en';
import { FRENCH } from './mail-texts.fr';
import { DUTCH } from './mail-texts.nl';
import type { MailMessage } from './mail-transport';

const MAIL_TEXTS: Readonly<Record<MailLanguage, MailTexts>> = { nl: DUTCH, en: ENGLISH, fr: FRENCH };
/** The texts, indexed by any text, because mails from other builds may have other languages and templates. */
const KNOWN: Readonly<Record<string, Readonly<Record<string, unknown>>>> = MAIL_TEXTS;

type Values = Readonly<Record<string, string>>;

/** Line ends and other control characters. In a subject they could begin another header. */
const NOT_IN_A_LINE = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** Writes a mail; its subject has one line. Throws if a value is missing: an incomplete mail is worse than a late one. */
export function renderMail(
  { template, values }: MailContent,
  language: MailLanguage,
  sender: Sender,
): Pick<MailMessage, 'subject' | 'text' | 'html'> {
  const write = KNOWN[language]?.[template] as ((mail: Values) => MailText) | undefined;
  if (write === undefined) throw new Error(`There is no ${template} mail in ${language}`);
  const [line, ...written] = write(complete(template, values));
  const subject = line.replace(NOT_IN_A_LINE, ' ').trim();
  const paragraphs = written.flatMap((paragraph) => withLink(paragraph, sender));
  return {
    subject,
    text: `${[...paragraphs.map(linesOf), ...footOf(language, sender)].join('\n\n')}\n`,
    html: htmlMail({ language, subject, paragraphs }, sender),
  };
}

/** Throws for a value that a mail from another build lacks. The compiler checks new mails. */
const complete = (template: string, values: Values): Values =>
  new Proxy(values, {
    get(target, name: string) {
      if (!Object.hasOwn(target, name)) throw new Error(`A ${template} mail lacks its ${name}`);
      return target[name];
    },
  });

/** The paragraph with the link of its button; nothing if the settings have no link. */
function withLink(paragraph: Paragraph, { panelUrl, pages, publicUrl }: Sender): Exclude<Paragraph, Lead>[] {
  if (typeof paragraph === 'string' || 'link' in paragraph) return [paragraph];
  const newPasswordUrl = pages ? `${publicUrl}/account/password` : undefined;
  const url = paragraph.lead === 'panel' ? panelUrl : newPasswordUrl;
  return url === undefined ? [] : [{ link: url, label: paragraph.label }];
}

const linesOf = (paragraph: Exclude<Paragraph, Lead>): string =>
  typeof paragraph === 'string' ? paragraph : paragraph.link;

/** Company and help, after the line that separates signatures (RFC 3676). */
function footOf(language: MailLanguage, { companyName, supportUrl }: Sender): string[] {
  const help =
    supportUrl && `${HELP[language]} ${/^mailto:/.test(supportUrl) ? supportText(supportUrl) : supportUrl}`;
  const lines = [companyName, help].filter((line) => line !== undefined);
  return lines.length === 0 ? [] : [['-- ', ...lines].join('\n')];
}
