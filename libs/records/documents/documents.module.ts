import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { NotificationsModule } from '@app/people/notifications/notifications.module';
import { Document, DocumentLink, DocumentPiece } from './document.entity';
import { DocumentLinks } from './document-links';
import { DocumentsController } from './documents.controller';
import { DOCUMENT_NOTICES } from './documents.notices';
import { DocumentsService } from './documents.service';
import { PdfDownloadController, XmlDownloadController } from './downloads.controller';
import { DocumentsShapes } from './shapes/documents.shapes';

@Module({
  imports: [
    TypeOrmModule.forFeature([Document, DocumentPiece, DocumentLink]),
    NotificationsModule.forFeature(DOCUMENT_NOTICES),
  ],
  controllers: [DocumentsController, PdfDownloadController],
  providers: [DocumentsService, DocumentLinks, DocumentsShapes],
  exports: [DocumentLinks, DocumentsService],
})
export class DocumentsModule {}

/** The links to XML of Variant A. */
@Module({ imports: [DocumentsModule], controllers: [XmlDownloadController] })
export class XmlDownloadModule {}
