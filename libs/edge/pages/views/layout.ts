import type { MailLanguage } from '@app/mail/mail.types';
import { HELP, type Sender, supportText } from '@app/mail/sender';
import { type Html, html } from '../html';
import { type PageLead, type Message, PAGE_TEXTS } from '../page-texts';
import { STYLESHEET_VERSION } from '../stylesheet';

/** Position of a page in its site. */
export interface Place {
  readonly language: MailLanguage;
  /** From the page to the root of the service: the URLs of a page are relative, since a proxy may add a prefix. */
  readonly root: string;
  readonly sender: Sender;
}

/** A whole page. Its title begins with `prefix`, which a page has after a fault. */
export function layout(place: Place, title: string, content: Html, prefix = ''): string {
  const { companyName, supportUrl } = place.sender;
  const suffix = companyName === undefined ? '' : ` – ${companyName}`;
  return html`<!doctype html>
    <html lang="${place.language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex, nofollow" />
        <title>${prefix}${title}${suffix}</title>
        <link rel="stylesheet" href="${place.root}account/pages.css?v=${STYLESHEET_VERSION}" />
      </head>
      <body>
        ${companyName === undefined ? undefined : html`<header>${companyName}</header>`}
        <main>
          <h1>${title}</h1>
          ${content}
        </main>
        ${supportUrl === undefined ? undefined : footer(place.language, supportUrl)}
      </body>
    </html> `.text;
}

const footer = (language: MailLanguage, supportUrl: string): Html =>
  html`<footer>${HELP[language]} <a href="${supportUrl}">${supportText(supportUrl)}</a></footer>`;

/** A page with one message and a button. */
export const messagePage = (
  place: Place,
  { title, text }: Message,
  leads: readonly PageLead[],
  ...more: readonly Html[]
): string =>
  layout(
    place,
    title,
    html`<p>${text}</p>
      ${more} ${buttonsOf(place, leads)}`,
  );

/** Buttons that lead on; one to the panel only where the settings say where that is. */
function buttonsOf({ language, root, sender }: Place, leads: readonly PageLead[]): Html | undefined {
  const buttons = leads.flatMap((lead) => {
    const url = lead === 'logIn' ? sender.panelUrl : `${root}account/password`;
    return url === undefined
      ? []
      : [html`<li><a class="button" href="${url}">${PAGE_TEXTS[language].leads[lead]}</a></li> `];
  });
  if (buttons.length === 0) return undefined;
  return html`<ul class="actions">
    ${buttons}
  </ul>`;
}

/** Names and their values; those without a value are left out. */
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
