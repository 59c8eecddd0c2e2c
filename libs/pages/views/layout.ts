import type { MailLanguage } from '@app/mail/mail.types';
import { type Html, html } from '../html';
import type { Message } from '../page-texts';
import { STYLESHEET_VERSION } from '../stylesheet';

/** How a page stands in its site. */
export interface Place {
  readonly language: MailLanguage;
  /** From the page to the root of the service: the URLs of a page are relative, since a proxy may add a prefix. */
  readonly root: string;
}

/** A whole page. Its title begins with `prefix`, which a page has after a fault. */
export const layout = (place: Place, title: string, content: Html, prefix = ''): string =>
  html`<!doctype html>
    <html lang="${place.language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex, nofollow" />
        <title>${prefix}${title}</title>
        <link rel="stylesheet" href="${place.root}account/pages.css?v=${STYLESHEET_VERSION}" />
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html> `.text;

/** A page that says one thing. */
export const messagePage = (place: Place, { title, text }: Message, ...more: readonly Html[]): string =>
  layout(
    place,
    title,
    html`<p>${text}</p>
      ${more}`,
  );

/** Names and their values; those without a value are left out. */
export const factList = (facts: readonly (readonly [name: string, value: string])[]): Html =>
  html`<dl>
    ${facts
      .filter(([, value]) => value !== '')
      .map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div> `,
      )}
  </dl>`;
