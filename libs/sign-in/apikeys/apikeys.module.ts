import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ConstraintErrorsModule } from '@app/platform/errors/constraint-errors';
import { CredentialUse, lastUseStatement } from '@app/security/access/credential-use';
import { NotificationsModule } from '@app/people/notifications/notifications.module';
import { AnnounceKeyEndsHandler } from './announce-key-ends.handler';
import { ApiKey } from './api-key.entity';
import { API_KEY_CONSTRAINT_ERRORS } from './api-key.types';

/** API keys as a credential, in both variants. */
@Module({
  imports: [
    TypeOrmModule.forFeature([ApiKey]),
    ConstraintErrorsModule.forFeature(API_KEY_CONSTRAINT_ERRORS),
    NotificationsModule,
  ],
  providers: [AnnounceKeyEndsHandler],
  exports: [TypeOrmModule],
})
export class ApiKeysModule {
  constructor(use: CredentialUse) {
    use.writeWith('api_key', lastUseStatement('api_keys'));
  }
}
