import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { NotificationLinks } from '@app/people/notifications/notification-mails';
import { NotificationsModule } from '@app/people/notifications/notifications.module';
import { Document, DocumentLink, DocumentPiece } from './document.entity';
import { DocumentLinks } from './document-links';
import { DocumentsController } from './documents.controller';
import { DOCUMENT_NOTIFICATIONS } from './documents.notifications';
import { DocumentsService } from './documents.service';
import { PdfDownloadController, XmlDownloadController } from './downloads.controller';
import { DocumentsShapes } from './shapes/documents.shapes';

/**
 * The documents that billing hands over, and the links that mails carry to them. Global, because the delivery
 * of notifications, which lies below, asks it for the links. It needs contacts by name: they read documents
 * and get the links.
 */
@Global()
@Module({
  imports: [
    TypeOrmModule.forFeature([Document, DocumentPiece, DocumentLink]),
    NotificationsModule.forFeature(DOCUMENT_NOTIFICATIONS),
  ],
  controllers: [DocumentsController, PdfDownloadController],
  providers: [
    DocumentsService,
    DocumentLinks,
    DocumentsShapes,
    { provide: NotificationLinks, useExisting: DocumentLinks },
  ],
  exports: [DocumentsService, NotificationLinks],
})
export class DocumentsModule {}

/** The links to XML of Variant A. */
@Module({ imports: [DocumentsModule], controllers: [XmlDownloadController] })
export class XmlDownloadModule {}
