import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { InvitationsModule } from '@app/people/invitations/invitations.module';
import { formBody } from '@app/platform/dto/form-body';
import { DocumentsModule } from '@app/records/documents/documents.module';
import { FactorLinksModule } from '@app/sign-in/factor-links/factor-links.module';
import { LoginNoticesModule } from '@app/sign-in/login-notices/login-notices.module';
import { NameProofsModule } from '@app/sign-in/name-proofs/name-proofs.module';
import { RecoveryModule } from '@app/sign-in/recovery/recovery.module';
import { AskPasswordPage } from './ask-password-page.controller';
import { ChangePasswordController } from './change-password.controller';
import { DocumentPage } from './document-page.controller';
import { EndLoginPage } from './end-login-page.controller';
import { InvitationPage } from './invitation-page.controller';
import { NameProofPage } from './name-proof-page.controller';
import { PasswordPage } from './password-page.controller';
import { SecondFactorPage } from './second-factor-page.controller';
import { StylesheetController } from './stylesheet.controller';

const PAGES = [
  InvitationPage,
  AskPasswordPage,
  PasswordPage,
  NameProofPage,
  EndLoginPage,
  SecondFactorPage,
  DocumentPage,
];

/** The pages behind the links in mails, for panels without such pages. `PAGES=off` leaves the module out. */
@Module({
  imports: [
    InvitationsModule,
    RecoveryModule,
    NameProofsModule,
    DocumentsModule,
    LoginNoticesModule,
    FactorLinksModule,
  ],
  controllers: [...PAGES, StylesheetController, ChangePasswordController],
})
export class PagesModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(formBody()).forRoutes(...PAGES);
  }
}
