import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ConstraintErrorsModule } from '@app/core/errors/constraint-errors.module';
import { NotificationsModule } from '@app/notifications/notifications.module';
import { SuspensionsShapes } from './shapes/suspensions.shapes';
import { SuspendedMails } from './suspended-mails';
import { Suspension } from './suspension.entity';
import { SuspensionNotices } from './suspension-notices';
import { SuspensionsController } from './suspensions.controller';
import { SuspensionDeletion } from './suspensions.deletion';
import { SUSPENSION_CONSTRAINT_ERRORS } from './suspensions.errors';
import { SuspensionPersonalData } from './suspensions.privacy';
import { SuspensionsService } from './suspensions.service';
import { TellBeneathHandler } from './tell-beneath.handler';

/** Suspending organisations; `libs/access` looks at it at every request (`isSuspended`). */
@Module({
  imports: [
    TypeOrmModule.forFeature([Suspension]),
    ConstraintErrorsModule.forFeature(SUSPENSION_CONSTRAINT_ERRORS),
    NotificationsModule,
  ],
  controllers: [SuspensionsController],
  providers: [
    SuspendedMails,
    SuspensionDeletion,
    SuspensionNotices,
    SuspensionPersonalData,
    SuspensionsService,
    SuspensionsShapes,
    TellBeneathHandler,
  ],
})
export class SuspensionsModule {}
