import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { DocumentsModule } from '@app/documents/documents.module';
import { InvitationsModule } from '@app/invitations/invitations.module';
import { LoginNoticesModule } from '@app/login-notices/login-notices.module';
import { formBody } from '@app/platform/dto/form-body';
import { RecoveryModule } from '@app/recovery/recovery.module';
import { DocumentPage } from './document.page';
import { EndLoginPage } from './end-login.page';
import { InvitationPage } from './invitation.page';
import { asPage } from './page';
import { PasswordPage } from './password.page';
import { StylesheetController } from './stylesheet.controller';
import { UnknownPage } from './unknown.page';

const PAGES = [InvitationPage, PasswordPage, EndLoginPage, DocumentPage];

/** The pages behind the links of mails, for companies whose panel has none. `PAGES=off` leaves the module out. */
@Module({
  imports: [InvitationsModule, RecoveryModule, DocumentsModule, LoginNoticesModule],
  // A path belongs to the first controller that has it.
  controllers: [...PAGES, StylesheetController, UnknownPage],
})
export class PagesModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(asPage, formBody()).forRoutes(...PAGES, UnknownPage);
  }
}
