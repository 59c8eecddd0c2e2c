import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { deletedRows } from '@app/lifecycle/deletions';
import type { TableRules } from '@app/lifecycle/table-rules';
import { NotificationsModule } from '@app/people/notifications/notifications.module';
import { UsersModule } from '@app/people/users/users.module';
import { ThrottlingModule } from '@app/security/throttling/throttling.module';
import { Acl, AclTeam } from './acl.entity';
import { GRANT_CONSTRAINT_ERRORS } from './grant.types';
import { EndGrantsHandler, GrantNotices, NotifyGrantPartiesHandler } from './grant-news.handler';
import { GrantsController, GrantTeamsController } from './grants.controller';
import { GRANT_NOTICES } from './grants.notices';
import { GrantsService } from './grants.service';
import { GrantsShapes } from './grants.shapes';
import { endGrantsOfTakeover, lockGrantsOfTakeover } from './grants-of-takeover';

export const ACL_RULES: TableRules = {
  table: 'acls',
  constraintErrors: GRANT_CONSTRAINT_ERRORS,
  withUsers: 'grants name organisations, no users',
  withOrganisation: deletedRows(
    `DELETE FROM acls WHERE $1 IN (organisation_id, grantee_id, giver_organisation_id)`,
  ),
  lockTakeover: lockGrantsOfTakeover,
  endTakeover: endGrantsOfTakeover,
};

/** Grants between organisations. `libs/security/access` finds the grants of the caller at every request. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Acl, AclTeam]),
    NotificationsModule.forFeature(GRANT_NOTICES),
    ThrottlingModule,
    UsersModule,
  ],
  controllers: [GrantsController, GrantTeamsController],
  providers: [EndGrantsHandler, GrantNotices, GrantsService, GrantsShapes, NotifyGrantPartiesHandler],
})
export class AclsModule {}
