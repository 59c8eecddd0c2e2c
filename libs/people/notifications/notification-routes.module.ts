import { Module } from '@nestjs/common';
import { ThrottlingModule } from '@app/security/throttling/throttling.module';
import { NotificationsController } from './notifications.controller';
import { NotificationsModule } from './notifications.module';
import { NotificationsService } from './notifications.service';
import { NotificationsShapes } from './notifications.shapes';

/** The routes of notifications. */
@Module({
  imports: [NotificationsModule, ThrottlingModule],
  controllers: [NotificationsController],
  providers: [NotificationsService, NotificationsShapes],
})
export class NotificationRoutesModule {}
