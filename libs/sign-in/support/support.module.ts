import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { organisationTable } from '@app/lifecycle/table-rules';
import { NotificationsModule } from '@app/people/notifications/notifications.module';
import { SUPPORT_NOTIFICATIONS } from './support.notifications';
import { SupportService } from './support.service';
import { SupportShapes } from './support.shapes';
import { SUPPORT_CONSTRAINT_ERRORS } from './support.types';
import { SupportAccessController } from './support-access.controller';
import { SupportAccessOfOrganisation } from './support-access.entity';
import { SupportLoginsController } from './support-logins.controller';

export const SUPPORT_ACCESS_RULES = organisationTable('support_access', 'it belongs to the organisation', {
  constraintErrors: SUPPORT_CONSTRAINT_ERRORS,
  otherTexts: 'access',
  audited: { kind: 'supportAccess', shown: 'access', hidden: 'id organisation_id' },
  afterRestore: { keeps: { consentsToSupport: `access = 'write'` } },
});

/**
 * Logins of staff in the name of users, and the consent of organisations. `libs/sign-in/auth`
 * owns the table of logins.
 */
@Module({
  imports: [
    TypeOrmModule.forFeature([SupportAccessOfOrganisation]),
    NotificationsModule.forFeature(SUPPORT_NOTIFICATIONS),
  ],
  controllers: [SupportAccessController, SupportLoginsController],
  providers: [SupportService, SupportShapes],
})
export class SupportModule {}
