import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ConstraintErrorsModule } from '@app/core/errors/constraint-errors.module';
import { ApiKeyUse } from './api-key-use';
import { ApiKey } from './api-key.entity';
import { ApiKeyDeletion } from './apikeys.deletion';
import { API_KEY_CONSTRAINT_ERRORS } from './apikeys.errors';
import { ApiKeysOfRestoredUsers } from './restored-users';

/** API keys as a credential, which they are in both variants. */
@Module({
  imports: [TypeOrmModule.forFeature([ApiKey]), ConstraintErrorsModule.forFeature(API_KEY_CONSTRAINT_ERRORS)],
  providers: [ApiKeyDeletion, ApiKeyUse, ApiKeysOfRestoredUsers],
  exports: [TypeOrmModule],
})
export class ApiKeysModule {}
