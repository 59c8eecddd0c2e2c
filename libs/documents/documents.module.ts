import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ConstraintErrorsModule } from '@app/core/errors/constraint-errors.module';
import { NotificationsModule } from '@app/notifications/notifications.module';
import { DocumentLink } from './document-link.entity';
import { DocumentLinks } from './document-links';
import { DocumentPiece } from './document-piece.entity';
import { Document } from './document.entity';
import { DocumentsCleanUp } from './documents.clean-up';
import { DocumentsController } from './documents.controller';
import { DocumentDeletion } from './documents.deletion';
import { DOCUMENT_CONSTRAINT_ERRORS } from './documents.errors';
import { DocumentsService } from './documents.service';
import { PdfDownloadController } from './pdf-download.controller';
import { DocumentsShapes } from './shapes/documents.shapes';

@Module({
  imports: [
    TypeOrmModule.forFeature([Document, DocumentPiece, DocumentLink]),
    ConstraintErrorsModule.forFeature(DOCUMENT_CONSTRAINT_ERRORS),
    NotificationsModule,
  ],
  controllers: [DocumentsController, PdfDownloadController],
  providers: [DocumentsService, DocumentLinks, DocumentsShapes, DocumentDeletion, DocumentsCleanUp],
  exports: [DocumentsService],
})
export class DocumentsModule {}
