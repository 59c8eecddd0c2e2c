import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { InvitationsModule } from '@app/people/invitations/invitations.module';
import { formBody } from '@app/platform/dto/form-body';
import { DocumentsModule } from '@app/records/documents/documents.module';
import { LoginNoticesModule } from '@app/sign-in/login-notices/login-notices.module';
import { RecoveryModule } from '@app/sign-in/recovery/recovery.module';
import { UsernameLinksModule } from '@app/sign-in/username-links/username-links.module';
import { AskPasswordPage } from './ask-password-page.controller';
import { ChangePasswordController } from './change-password.controller';
import { DocumentPage } from './document-page.controller';
import { EndLoginPage } from './end-login-page.controller';
import { InvitationPage } from './invitation-page.controller';
import { PasswordPage } from './password-page.controller';
import { StylesheetController } from './stylesheet.controller';
import { UsernamePage } from './username-page.controller';

const PAGES = [InvitationPage, AskPasswordPage, PasswordPage, UsernamePage, EndLoginPage, DocumentPage];

/** The pages behind the links in mails, for panels without such pages. `PAGES=off` leaves the module out. */
@Module({
  imports: [InvitationsModule, RecoveryModule, UsernameLinksModule, DocumentsModule, LoginNoticesModule],
  controllers: [...PAGES, StylesheetController, ChangePasswordController],
})
export class PagesModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(formBody()).forRoutes(...PAGES);
  }
}
