import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ConstraintErrorsModule } from '@app/platform/errors/api-error';
import { CredentialUse, lastUseStatement } from '@app/security/access/credential-use';
import { NotificationsModule } from '@app/notifications/notifications.module';
import { AnnounceKeyEndsHandler } from './announce-key-ends.handler';
import { ApiKey } from './api-key.entity';
import { ApiKeyRecords, ApiKeysCleanUp } from './apikeys.lifecycle';
import { API_KEY_CONSTRAINT_ERRORS } from './api-key.types';

/** API keys as a credential, in both variants. */
@Module({
  imports: [
    TypeOrmModule.forFeature([ApiKey]),
    ConstraintErrorsModule.forFeature(API_KEY_CONSTRAINT_ERRORS),
    NotificationsModule,
  ],
  providers: [AnnounceKeyEndsHandler, ApiKeyRecords, ApiKeysCleanUp],
  exports: [TypeOrmModule],
})
export class ApiKeysModule {
  constructor(use: CredentialUse) {
    use.writeWith('api_key', lastUseStatement('api_keys'));
  }
}
