import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { NotificationsModule } from '@app/people/notifications/notifications.module';
import { Suspension } from './suspension.entity';
import { NotifyBeneathHandler, SuspensionNotifications } from './suspension-notifications';
import { SuspensionsController } from './suspensions.controller';
import { SUSPENSION_NOTIFICATIONS } from './suspensions.notifications';
import { SuspensionsService } from './suspensions.service';
import { SuspensionsShapes } from './suspensions.shapes';

/** Suspends organisations. `libs/security/access` checks suspensions at every request (`isSuspended`). */
@Module({
  imports: [TypeOrmModule.forFeature([Suspension]), NotificationsModule.forFeature(SUSPENSION_NOTIFICATIONS)],
  controllers: [SuspensionsController],
  providers: [SuspensionNotifications, SuspensionsService, SuspensionsShapes, NotifyBeneathHandler],
})
export class SuspensionsModule {}
