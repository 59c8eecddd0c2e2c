import type { MailLanguage } from '@app/mail/mail.types';
import { BRAND_PARAMETER, HELP, type Sender, supportText } from '@app/mail/sender';
import { type Html, html, styleElement } from '../html';
import type { PageButton } from '../page-texts';
import type { Message } from '../page-texts.types';
import { brandStyle, STYLESHEET_VERSION } from '../stylesheet';
import type { PageTexts } from '../texts/en';

/** What every page needs to know about its surroundings. */
export interface PageContext {
  readonly language: MailLanguage;
  readonly texts: PageTexts;
  /** Relative path from the page to the root of the service, because a proxy may add a prefix. */
  readonly root: string;
  readonly sender: Sender;
}

/** A complete page. After an error its title begins with `prefix`. */
export function layout(context: PageContext, title: string, content: Html, prefix = ''): string {
  const { companyName, supportUrl, colour } = context.sender;
  const suffix = companyName === undefined ? '' : ` – ${companyName}`;
  return html`<!doctype html>
    <html lang="${context.language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex, nofollow" />
        <title>${prefix}${title}${suffix}</title>
        <link rel="stylesheet" href="${context.root}account/pages.css?v=${STYLESHEET_VERSION}" />
        ${colour === undefined ? undefined : styleElement(brandStyle(colour))}
      </head>
      <body>
        ${companyName === undefined ? undefined : html`<header>${companyName}</header>`}
        <main>
          <h1>${title}</h1>
          ${content}
        </main>
        ${supportUrl === undefined ? undefined : footer(context.language, supportUrl)}
      </body>
    </html> `.text;
}

const footer = (language: MailLanguage, supportUrl: string): Html =>
  html`<footer>${HELP[language]} <a href="${supportUrl}">${supportText(supportUrl)}</a></footer>`;

/** A page with one message and a button. */
export const messagePage = (
  context: PageContext,
  { title, text }: Message,
  buttons: readonly PageButton[],
  ...more: readonly Html[]
): string =>
  layout(
    context,
    title,
    html`<p>${text}</p>
      ${more} ${buttonsOf(context, buttons)}`,
  );

/** Buttons to other pages. The button to the panel exists only if a setting has the panel's URL. */
function buttonsOf({ texts, root, sender }: PageContext, buttons: readonly PageButton[]): Html | undefined {
  const known = buttons.flatMap((button) => {
    const brand = sender.linkKey === undefined ? '' : `?${BRAND_PARAMETER}=${sender.linkKey}`;
    const url = button === 'logIn' ? sender.panelUrl : `${root}account/password${brand}`;
    return url === undefined
      ? []
      : [html`<li><a class="button" href="${url}">${texts.buttons[button]}</a></li> `];
  });
  if (known.length === 0) return undefined;
  return html`<ul class="actions">
    ${known}
  </ul>`;
}

/** Names and values, without names that have no value. */
export function factList(facts: readonly (readonly [name: string, value: string])[]): Html | undefined {
  const known = facts.filter(([, value]) => value !== '');
  if (known.length === 0) return undefined;
  return html`<dl>
    ${known.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div> `,
    )}
  </dl>`;
}
