import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { NotificationsModule } from '@app/people/notifications/notifications.module';
import { UsersModule } from '@app/people/users/users.module';
import { CustomersModule } from '@app/security/customers/customers.module';
import { ThrottlingModule } from '@app/security/throttling/throttling.module';
import { Acl, AclTeam } from './acl.entity';
import { GrantBounds } from './grant-bounds';
import { GrantNotifications } from './grant-notifications';
import { EndGrantsHandler, NotifyEndOfGrantHandler } from './grant-notifications.handler';
import { GrantsController, GrantTeamsController } from './grants.controller';
import { GRANT_NOTIFICATIONS } from './grants.notifications';
import { GrantsService } from './grants.service';
import { GrantsShapes } from './grants.shapes';

/** Grants between organisations. `libs/security/access` finds the grants of the caller at every request. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Acl, AclTeam]),
    NotificationsModule.forFeature(GRANT_NOTIFICATIONS),
    CustomersModule,
    ThrottlingModule,
    UsersModule,
  ],
  controllers: [GrantsController, GrantTeamsController],
  providers: [
    EndGrantsHandler,
    GrantBounds,
    GrantNotifications,
    GrantsService,
    GrantsShapes,
    NotifyEndOfGrantHandler,
  ],
  exports: [GrantBounds, GrantNotifications],
})
export class AclsModule {}
