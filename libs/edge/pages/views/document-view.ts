import type { DocumentKind } from '@app/records/documents/document.types';
import { html } from '../html';
import type { PageTexts } from '../page-texts';
import { factList, layout, type PageContext } from './layout';

/** Data of a document's page. */
export interface ShownDocument {
  readonly name: string;
  /** The organisation that the document is for. */
  readonly organisation: string;
  readonly files: readonly { readonly kind: DocumentKind; readonly size: number }[];
  /** The path of the link, without its first word. */
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

/** The path of a file in the API, relative to the root of the service. */
export const filePath = (kind: DocumentKind, linkPath: string): string => `v1/download${kind}/${linkPath}`;

/** The page of a document, with links to its files in the API. */
export function documentView(
  context: PageContext,
  { document, labels }: PageTexts,
  { name, organisation, files, linkPath }: ShownDocument,
): string {
  const downloads = files.map(({ kind, size }) => {
    const text = document.download(kind.toUpperCase(), sizeIn(context.language, size));
    return html`<li><a class="button" href="${context.root}${filePath(kind, linkPath)}">${text}</a></li> `;
  });
  return layout(
    context,
    name,
    html`<p>${document.intro}</p>
      ${factList([
        [labels.organisation, organisation],
        [labels.sender, context.sender.companyName ?? ''],
      ])}
      <ul class="actions">
        ${downloads}
      </ul>
      <p class="note">${document.note}</p>`,
  );
}
