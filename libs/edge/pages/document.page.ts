import { Controller, Get, Headers, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import { LinkedKinds } from '@app/records/documents/document-links';
import { DOCUMENT_KINDS } from '@app/records/documents/document.types';
import { DocumentsService, type PresentedLink } from '@app/records/documents/documents.service';
import { PresentedDocumentLink } from '@app/records/documents/presented-link';
import { PublicRoute } from '@app/security/access/access.decorators';
import { type OpenPage, CurrentPage } from './page';
import { documentView, filePath } from './views/document-view';

/** The page of a linked document. It links to `/v1/downloadpdf/…` and, if the variant has it, to `/v1/downloadxml/…`. */
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
    const { name, organisation, language, sizes } = await this.documents.linkedDocument(link);
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
    return documentView(page, page.texts, { name, organisation, files, linkPath });
  }
}
