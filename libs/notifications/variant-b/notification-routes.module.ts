import { Module } from '@nestjs/common';
import { NotificationsModule } from '../notifications.module';
import { NotificationsController } from './notifications.controller';
import { NotificationsService } from './notifications.service';
import { NotificationsShapes } from './notifications.shapes';

/** The routes of notifications, which exist in Variant B only. */
@Module({
  imports: [NotificationsModule],
  controllers: [NotificationsController],
  providers: [NotificationsService, NotificationsShapes],
})
export class NotificationRoutesModule {}
