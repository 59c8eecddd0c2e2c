import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { NotificationsModule } from '@app/people/notifications/notifications.module';
import { AuthModule } from '@app/sign-in/auth/auth.module';
import { SecondFactorLink } from './factor-link.entity';
import { FactorLinks } from './factor-links';
import { FactorUndo } from './factor-undo';

/** Mails about changes of second factors, and the links in them. */
@Module({
  imports: [TypeOrmModule.forFeature([SecondFactorLink]), AuthModule, NotificationsModule],
  providers: [FactorLinks, FactorUndo],
  exports: [FactorLinks, FactorUndo],
})
export class FactorLinksModule {}
