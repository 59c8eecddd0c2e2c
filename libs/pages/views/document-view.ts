import type { DocumentKind } from '@app/documents/document.types';
import { html } from '../html';
import type { PageTexts } from '../page-texts';
import { layout, type Place } from './layout';

/** What the page of a document shows. */
export interface ShownDocument {
  readonly name: string;
  readonly files: readonly { readonly kind: DocumentKind; readonly size: number }[];
  /** The path of the link, after the word of the page. */
  readonly linkPath: string;
}

const KILOBYTE = 1000;

function sizeIn(language: string, bytes: number): string {
  const [value, unit] =
    bytes < KILOBYTE ** 2 ? [bytes / KILOBYTE, 'kilobyte'] : [bytes / KILOBYTE ** 2, 'megabyte'];
  return new Intl.NumberFormat(language, {
    ...{ style: 'unit', unit, unitDisplay: 'short' },
    maximumSignificantDigits: 2,
  }).format(Math.max(0.1, value));
}

/** The page of a document, with links to its files at the addresses of the interface. */
export function documentPage(
  place: Place,
  { document }: PageTexts,
  { name, files, linkPath }: ShownDocument,
): string {
  const downloads = files.map(({ kind, size }) => {
    const text = document.download(kind.toUpperCase(), sizeIn(place.language, size));
    return html`<li><a class="button" href="${place.root}v1/download${kind}/${linkPath}">${text}</a></li> `;
  });
  return layout(
    place,
    name,
    html`<p>${document.intro}</p>
      <ul class="downloads">
        ${downloads}
      </ul>
      <p class="note">${document.note}</p>`,
  );
}
