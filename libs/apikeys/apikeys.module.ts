import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ConstraintErrorsModule } from '@app/core/errors/constraint-errors.module';
import { NotificationsModule } from '@app/notifications/notifications.module';
import { AnnounceKeyEndsHandler } from './announce-key-ends.handler';
import { ApiKeyUse } from './api-key-use';
import { ApiKey } from './api-key.entity';
import { ApiKeysCleanUp } from './apikeys.clean-up';
import { ApiKeyDeletion } from './apikeys.deletion';
import { ApiKeyPersonalData } from './apikeys.privacy';
import { API_KEY_CONSTRAINT_ERRORS } from './apikeys.errors';
import { ApiKeysOfRestoredUsers } from './restored-users';

/** API keys as a credential, which they are in both variants. */
@Module({
  imports: [
    TypeOrmModule.forFeature([ApiKey]),
    ConstraintErrorsModule.forFeature(API_KEY_CONSTRAINT_ERRORS),
    NotificationsModule,
  ],
  providers: [
    AnnounceKeyEndsHandler,
    ApiKeyDeletion,
    ApiKeyPersonalData,
    ApiKeysCleanUp,
    ApiKeyUse,
    ApiKeysOfRestoredUsers,
  ],
  exports: [TypeOrmModule],
})
export class ApiKeysModule {}
