import { Controller, Get, Param } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { LinkedKinds } from '@app/documents/document-links';
import { DOCUMENT_KINDS } from '@app/documents/document.types';
import { DocumentsService, type PresentedLink } from '@app/documents/documents.service';
import { TheLink } from '@app/documents/the-link';
import { PublicRoute } from '@app/security/access/access.decorators';
import { type Page, ThePage } from './page';
import { documentPage } from './views/document-view';

/** The page of a linked document. It leads to `/v1/downloadpdf/…` and, where the variant has it, `/v1/downloadxml/…`. */
@ApiExcludeController()
@Controller('account/documents')
export class DocumentPage {
  constructor(
    private readonly documents: DocumentsService,
    private readonly linked: LinkedKinds,
  ) {}

  @Get(':id/:contactId/:hash')
  @PublicRoute('the hash in the path stands for the credential', 'Show the document of a link')
  async show(
    @ThePage() page: Page,
    @TheLink() link: PresentedLink,
    @Param('hash') hash: string,
  ): Promise<string> {
    const { name, language, sizes } = await this.documents.linkedDocument(link);
    const files = DOCUMENT_KINDS.filter((kind) => this.linked.kinds.includes(kind)).flatMap((kind) =>
      sizes[kind] === null ? [] : [{ kind, size: sizes[kind] }],
    );
    page.speak(language);
    const linkPath = `${link.documentId}/${link.contactId}/${hash}`;
    return documentPage(page, page.texts, { name, files, linkPath });
  }
}
