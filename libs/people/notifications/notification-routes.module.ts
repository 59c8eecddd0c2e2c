import { Module } from '@nestjs/common';
import { CustomersModule } from '@app/security/customers/customers.module';
import { NotificationsController } from './notifications.controller';
import { NotificationsModule } from './notifications.module';
import { NotificationsService } from './notifications.service';
import { NotificationsShapes } from './notifications.shapes';

/** The routes of notifications. */
@Module({
  imports: [NotificationsModule, CustomersModule],
  controllers: [NotificationsController],
  providers: [NotificationsService, NotificationsShapes],
})
export class NotificationRoutesModule {}
