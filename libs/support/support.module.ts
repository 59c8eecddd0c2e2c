import { Injectable, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { DeletionHandler, stays } from '@app/lifecycle/deletions';
import { ConstraintErrorsModule } from '@app/platform/errors/api-error';
import { NotificationsModule } from '@app/notifications/notifications.module';
import { SupportAccessOfOrganisation } from './support-access.entity';
import { SupportAccessController, SupportLoginsController } from './support.controllers';
import { SupportService } from './support.service';
import { SupportShapes } from './support.shapes';
import { SUPPORT_CONSTRAINT_ERRORS } from './support.types';

@Injectable()
export class SupportAccessDeletion extends DeletionHandler {
  readonly table = 'support_access';
  readonly withUsers = stays('it belongs to the organisation');
  readonly withOrganisation = (manager: EntityManager, organisationId: number) =>
    manager.query(`DELETE FROM support_access WHERE organisation_id = $1`, [organisationId]);
}

/** Logins of staff in the name of users, and the consent of organisations. `libs/auth` owns the table of logins. */
@Module({
  imports: [
    TypeOrmModule.forFeature([SupportAccessOfOrganisation]),
    ConstraintErrorsModule.forFeature(SUPPORT_CONSTRAINT_ERRORS),
    NotificationsModule,
  ],
  controllers: [SupportAccessController, SupportLoginsController],
  providers: [SupportAccessDeletion, SupportService, SupportShapes],
})
export class SupportModule {}
