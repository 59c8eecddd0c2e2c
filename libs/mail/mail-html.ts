import type { CallToAction, MailLanguage, Paragraph } from './mail.types';
import { HELP, type Sender, supportText } from './sender';

interface WrittenMail {
  readonly language: MailLanguage;
  readonly subject: string;
  readonly paragraphs: readonly Exclude<Paragraph, CallToAction>[];
}

/** White text is readable on it, and it on white. */
const COLOUR = '#1a56a8';
/** Mail programs support tables and attributes; few support stylesheets. */
const FONT = `font:16px/1.5 -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif`;
const TABLE = 'role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"';

/** The HTML of a mail: the company at the top, links as buttons, help at the bottom. */
export function htmlMail({ language, subject, paragraphs }: WrittenMail, sender: Sender): string {
  const { companyName, colour = COLOUR } = sender;
  const title = wordsIn(language, subject);
  return [
    '<!DOCTYPE html>',
    `<html lang="${language}">`,
    `<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title></head>`,
    '<body style="margin:0;background:#f3f5f8">',
    `<main><table ${TABLE}><tr><td align="center" style="padding:24px 12px;background:#f3f5f8">`,
    `<table ${TABLE} style="max-width:560px;background:#ffffff;border:1px solid #d5dae2;border-top:4px solid ${colour}">`,
    ...(companyName === undefined
      ? []
      : [
          `<tr><td style="padding:20px 28px 0;${FONT};font-weight:600;color:#1b2430">${escapedHtml(companyName)}</td></tr>`,
        ]),
    `<tr><td style="padding:24px 28px 8px;${FONT};color:#1b2430;word-break:break-word">`,
    `<h1 style="margin:0 0 16px;font-size:22px;line-height:1.25;font-weight:650">${title}</h1>`,
    ...paragraphs.flatMap((paragraph) => htmlOf(language, paragraph, colour)),
    '</td></tr>',
    ...footOf(language, sender),
    '</table>',
    '</td></tr></table></main>',
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

function htmlOf(
  language: MailLanguage,
  paragraph: Exclude<Paragraph, CallToAction>,
  colour: string,
): string[] {
  if (typeof paragraph === 'string')
    return wordsIn(language, paragraph)
      .split(/\n{2,}/)
      .map((lines) => `<p style="margin:0 0 16px">${lines.split('\n').join('<br>\n')}</p>`);
  const links = paragraph.link.split('\n');
  return links.map((link) =>
    buttonOf(link, links.length > 1 ? `${paragraph.label} (${fileKindOf(link)})` : paragraph.label, colour),
  );
}

/** A text for people. In French no line begins with a mark that has a space before it. */
const wordsIn = (language: MailLanguage, text: string): string =>
  language === 'fr' ? escapedHtml(text).replaceAll(/ (?=[:;?!»])/g, '\u00a0') : escapedHtml(text);

const buttonOf = (link: string, label: string, colour: string): string =>
  `<p style="margin:0 0 16px"><a href="${escapedHtml(link)}" ` +
  'style="display:inline-block;padding:10px ' +
  `22px;border-radius:4px;background:${colour};color:#ffffff;font-weight:600;text-decoration:none">${escapedHtml(label)}</a></p>`;

/** Several links in one mail lead to the files of one document. */
const fileKindOf = (link: string): string => /\/download(pdf|xml)\//.exec(link)?.[1]?.toUpperCase() ?? '';

function footOf(language: MailLanguage, { supportUrl, colour = COLOUR }: Sender): string[] {
  if (supportUrl === undefined) return [];
  const link = `<a href="${escapedHtml(supportUrl)}" style="color:${colour}">${escapedHtml(supportText(supportUrl))}</a>`;
  return [
    '<tr><td style="padding:16px 28px 20px;border-top:1px solid ' +
      `#d5dae2;${FONT};font-size:14px;color:#4d5866;word-break:break-word">${HELP[language]} ` +
      `${link}</td></tr>`,
  ];
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

/** A text without characters that begin a tag or an entity, or end an attribute. */
export const escapedHtml = (text: string): string =>
  text.replaceAll(/[&<>"'`=]/g, (character) => HTML_ENTITIES[character] ?? character);
