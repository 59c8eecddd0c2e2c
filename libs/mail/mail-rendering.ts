import type { MailContent, MailLanguage, MailText, MailTexts, Paragraph } from './mail.types';
import { ENGLISH } from './texts/en';
import { FRENCH } from './texts/fr';
import { DUTCH } from './texts/nl';
import type { MailMessage } from './mail-transport';

const MAIL_TEXTS: Readonly<Record<MailLanguage, MailTexts>> = { nl: DUTCH, en: ENGLISH, fr: FRENCH };
/** The same for mails of other builds, which may name other languages and templates. */
const KNOWN: Readonly<Record<string, Readonly<Record<string, unknown>>>> = MAIL_TEXTS;

type Values = Readonly<Record<string, string>>;

/** Line ends and other control characters: in a subject they could begin another header. */
const NOT_IN_A_LINE = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** Writes a mail; its subject has one line. Throws if a value is missing: half a mail is worse than a late one. */
export function renderMail(
  { template, values }: MailContent,
  language: MailLanguage,
): Pick<MailMessage, 'subject' | 'text' | 'html'> {
  const write = KNOWN[language]?.[template] as ((mail: Values) => MailText) | undefined;
  if (write === undefined) throw new Error(`There is no ${template} mail in ${language}`);
  const escapedValues = Object.entries(values).map(([name, value]) => [name, escapedHtml(value)]);
  const [line, ...paragraphs] = write(complete(template, values));
  const [, ...escaped] = write(complete(template, Object.fromEntries(escapedValues) as Values));
  const subject = line.replace(NOT_IN_A_LINE, ' ').trim();
  return {
    subject,
    text: `${paragraphs.map(linesOf).join('\n\n')}\n`,
    html: [
      `<!DOCTYPE html>`,
      `<html lang="${language}">`,
      `<head><meta charset="utf-8"><title>${escapedHtml(subject)}</title></head>`,
      `<body>`,
      ...escaped.map((paragraph) => `<p>${htmlOf(paragraph)}</p>`),
      `</body>`,
      `</html>`,
      ``,
    ].join('\n'),
  };
}

/** Throws for a value that a mail of another build lacks; the compiler checks new mails. */
const complete = (template: string, values: Values): Values =>
  new Proxy(values, {
    get(target, name: string) {
      if (!Object.hasOwn(target, name)) throw new Error(`A ${template} mail lacks its ${name}`);
      return target[name];
    },
  });

const linesOf = (paragraph: Paragraph): string =>
  typeof paragraph === 'string' ? paragraph : paragraph.link;

function htmlOf(paragraph: Paragraph): string {
  const lines = linesOf(paragraph).split('\n');
  const shown = typeof paragraph === 'string' ? lines : lines.map((link) => `<a href="${link}">${link}</a>`);
  return shown.join('<br>\n');
}

const HTML_ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#x27;',
  '`': '&#x60;',
  '=': '&#x3D;',
};

/** A text that begins no tag, ends no attribute and names no entity. */
export const escapedHtml = (text: string): string =>
  text.replaceAll(/[&<>"'`=]/g, (character) => HTML_ENTITIES[character] ?? character);
