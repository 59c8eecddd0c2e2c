import { Module } from '@nestjs/common';
import { NotificationsController } from './notifications.controller';
import { NotificationsService } from './notifications.service';
import { NotificationsShapes } from './notifications.shapes';

/** The routes of notifications, which exist in Variant B only. */
@Module({
  controllers: [NotificationsController],
  providers: [NotificationsService, NotificationsShapes],
})
export class NotificationsRoutesModuleB {}
