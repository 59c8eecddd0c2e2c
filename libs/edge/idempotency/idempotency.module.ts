import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdempotencyGuard } from './idempotency.guard';
import { IdempotencyStore } from './idempotency-store';
import { StoredResponse } from './stored-response.entity';

/**
 * `Idempotency-Key` for every POST that changes something with a credential. Routes and
 * domains do not know about it.
 */
@Module({
  imports: [TypeOrmModule.forFeature([StoredResponse])],
  providers: [IdempotencyStore, { provide: APP_GUARD, useClass: IdempotencyGuard }],
})
export class IdempotencyModule {}
