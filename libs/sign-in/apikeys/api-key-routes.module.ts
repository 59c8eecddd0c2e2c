import { Module } from '@nestjs/common';
import { NotificationsModule } from '@app/people/notifications/notifications.module';
import { UsersModule } from '@app/people/users/users.module';
import { ApiKeysController } from './apikeys.controller';
import { ApiKeysService } from './apikeys.service';
import { ApiKeysShapes } from './shapes/apikeys.shapes';

/** API keys as a resource, which exists in Variant A only. */
@Module({
  imports: [NotificationsModule, UsersModule],
  controllers: [ApiKeysController],
  providers: [ApiKeysService, ApiKeysShapes],
})
export class ApiKeyRoutesModule {}
