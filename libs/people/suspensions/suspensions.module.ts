import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { NotificationsModule } from '@app/people/notifications/notifications.module';
import { Suspension } from './suspension.entity';
import { NotifyBeneathHandler, SuspensionNotices } from './suspension-notices';
import { SuspensionsController } from './suspensions.controller';
import { SUSPENSION_NOTICES } from './suspensions.notices';
import { SuspensionsService } from './suspensions.service';
import { SuspensionsShapes } from './suspensions.shapes';

/** Suspends organisations. `libs/security/access` checks suspensions at every request (`isSuspended`). */
@Module({
  imports: [TypeOrmModule.forFeature([Suspension]), NotificationsModule.forFeature(SUSPENSION_NOTICES)],
  controllers: [SuspensionsController],
  providers: [SuspensionNotices, SuspensionsService, SuspensionsShapes, NotifyBeneathHandler],
})
export class SuspensionsModule {}
