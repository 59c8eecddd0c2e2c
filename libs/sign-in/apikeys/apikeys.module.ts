import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { NotificationsModule } from '@app/people/notifications/notifications.module';
import { AnnounceKeyEndsHandler } from './announce-key-ends.handler';
import { ApiKey } from './api-key.entity';
import { API_KEY_NOTIFICATIONS } from './apikeys.notifications';

/** API keys as a credential, in both variants. */
@Module({
  imports: [TypeOrmModule.forFeature([ApiKey]), NotificationsModule.forFeature(API_KEY_NOTIFICATIONS)],
  providers: [AnnounceKeyEndsHandler],
  exports: [TypeOrmModule],
})
export class ApiKeysModule {}
