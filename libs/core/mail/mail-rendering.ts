import { createRequire } from 'node:module';
import type Handlebars from 'handlebars';
import { lazily } from '../loading/lazily';
import type { MailLanguage, MailTemplate } from './mail.types';
import { ENGLISH } from './texts/en';
import { FRENCH } from './texts/fr';
import type { MailTexts, Paragraph } from './texts/mail-text';
import { DUTCH } from './texts/nl';

const handlebars = lazily(() => createRequire(__filename)('handlebars') as typeof Handlebars);

/** Every mail in every language. */
export const MAIL_TEXTS: Readonly<Record<MailLanguage, MailTexts>> = { nl: DUTCH, en: ENGLISH, fr: FRENCH };

/** A mail as its reader sees it. */
export interface RenderedMail {
  /** One line. */
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

type Values = Readonly<Record<string, string>>;

/** Line ends and other control characters: in a subject they could begin another header. */
const NOT_IN_A_LINE = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** Writes a mail. Throws where a value is missing: half a mail is worse than a late one. */
export function renderMail(template: MailTemplate, language: MailLanguage, values: Values): RenderedMail {
  const { subject, paragraphs: written } = MAIL_TEXTS[language][template];
  const paragraphs = written.filter((paragraph) => isComplete(paragraph, values));
  const title = filled(subject, values, 'text').replace(NOT_IN_A_LINE, ' ').trim();
  const lines = paragraphs.map((paragraph) => filled(templateOf(paragraph), values, 'text'));
  const html = paragraphs.map((paragraph) => `<p>${htmlOf(paragraph, values)}</p>`);
  return {
    subject: title,
    text: `${lines.join('\n\n')}\n`,
    html: [
      `<!DOCTYPE html>`,
      `<html lang="${language}">`,
      `<head><meta charset="utf-8"><title>${handlebars().escapeExpression(title)}</title></head>`,
      `<body>`,
      ...html,
      `</body>`,
      `</html>`,
      ``,
    ].join('\n'),
  };
}

/** A mail may wait for days, and be sent by a build that says more in it than the one that queued it knew. */
const isComplete = (paragraph: Paragraph, values: Values): boolean =>
  typeof paragraph === 'string' ||
  'link' in paragraph ||
  [...paragraph.sinceNewerBuild.matchAll(/{{(\w+)}}/g)].every(([, name = '']) => name in values);

function templateOf(paragraph: Paragraph): string {
  if (typeof paragraph === 'string') return paragraph;
  return 'link' in paragraph ? `{{${paragraph.link}}}` : paragraph.sinceNewerBuild;
}

function htmlOf(paragraph: Paragraph, values: Values): string {
  const html = filled(templateOf(paragraph), values, 'html');
  const lines = html.split('\n');
  const isLink = typeof paragraph !== 'string' && 'link' in paragraph;
  const shown = isLink ? lines.map((link) => `<a href="${link}">${link}</a>`) : lines;
  return shown.join('<br>\n');
}

/** In HTML the values are escaped. Only own values count, and the template alone decides what is run. */
function filled(template: string, values: Values, form: 'text' | 'html'): string {
  return handlebars().compile(template, { strict: true, noEscape: form === 'text' })(values);
}
