import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { NotificationsModule } from '@app/people/notifications/notifications.module';
import { SuspensionsShapes } from './suspensions.shapes';
import { Suspension } from './suspension.entity';
import { SuspensionNotices, NotifyBeneathHandler } from './suspension-notices';
import { SuspensionsController } from './suspensions.controller';
import { SuspensionsService } from './suspensions.service';

/** Suspends organisations. `libs/security/access` checks suspensions at every request (`isSuspended`). */
@Module({
  imports: [TypeOrmModule.forFeature([Suspension]), NotificationsModule],
  controllers: [SuspensionsController],
  providers: [SuspensionNotices, SuspensionsService, SuspensionsShapes, NotifyBeneathHandler],
})
export class SuspensionsModule {}
