import { Controller, Get, Headers, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import { DOCUMENT_KINDS, type DocumentKind } from '@app/records/documents/document.types';
import { LinkedKinds } from '@app/records/documents/document-links';
import { DocumentsService, type PresentedLink } from '@app/records/documents/documents.service';
import { PresentedDocumentLink } from '@app/records/documents/presented-link';
import { PublicRoute } from '@app/security/access/access.decorators';
import { html } from './html';
import { CurrentPage, type OpenPage } from './page';
import { factList, layout } from './views/layout';

/**
 * The page of a linked document. It links to `/v1/downloadpdf/…` and, if the variant has
 * it, to `/v1/downloadxml/…`.
 */
@Controller('account/documents')
export class DocumentPage {
  constructor(
    private readonly documents: DocumentsService,
    private readonly linked: LinkedKinds,
  ) {}

  @Get(':id/:contactId/:hash')
  @PublicRoute('the hash in the path stands for the credential', 'Show the document of a link')
  async show(
    @CurrentPage() page: OpenPage,
    @PresentedDocumentLink() link: PresentedLink,
    @Param('hash') hash: string,
    @Headers('accept') accepted = '',
    @Res({ passthrough: true }) response: Response,
  ): Promise<string> {
    const { organisationId, name, organisation, language, sizes } = await this.documents.linkedDocument(link);
    await page.carryBrandOf(organisationId);
    const files = DOCUMENT_KINDS.filter((kind) => this.linked.kinds.includes(kind)).flatMap((kind) =>
      sizes[kind] === null ? [] : [{ kind, size: sizes[kind] }],
    );
    page.useLanguage(language);
    const linkPath = `${link.documentId}/${link.contactId}/${hash}`;
    response.vary('Accept');
    const [first] = files;
    // Programs want the file. Every browser asks for HTML when it opens a page.
    if (first !== undefined && !/\btext\/html\b/i.test(accepted)) {
      response.status(302).setHeader('Location', page.root + filePath(first.kind, linkPath));
      return '';
    }
    return documentView(page, { name, organisation, files, linkPath });
  }
}

/** Data of a document's page. */
interface ShownDocument {
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
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumSignificantDigits: 2,
  }).format(Math.max(0.1, value));
}

/** The path of a file in the API, relative to the root of the service. */
const filePath = (kind: DocumentKind, linkPath: string): string => `v1/download${kind}/${linkPath}`;

/** Links to the files in the API. */
function documentView(page: OpenPage, { name, organisation, files, linkPath }: ShownDocument): string {
  const { document, labels } = page.texts;
  const downloads = files.map(({ kind, size }) => {
    const text = document.download(kind.toUpperCase(), sizeIn(page.language, size));
    return html`<li><a class="button" href="${page.root}${filePath(kind, linkPath)}">${text}</a></li> `;
  });
  return layout(
    page,
    name,
    html`<p>${document.intro}</p>
      ${factList([
        [labels.organisation, organisation],
        [labels.sender, page.sender.companyName ?? ''],
      ])}
      <ul class="actions">
        ${downloads}
      </ul>
      <p class="note">${document.note}</p>`,
  );
}
