import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ConstraintErrorsModule } from '@app/platform/errors/constraint-errors';
import { IdempotencyGuard } from './idempotency.guard';
import { KEPT_RESPONSE_CONSTRAINT_ERRORS } from './idempotency.types';
import { KeptResponse } from './kept-response.entity';
import { KeptResponses } from './kept-responses';

/** `Idempotency-Key` on every POST that changes something with a credential. No route and no domain knows of it. */
@Module({
  imports: [
    TypeOrmModule.forFeature([KeptResponse]),
    ConstraintErrorsModule.forFeature(KEPT_RESPONSE_CONSTRAINT_ERRORS),
  ],
  providers: [KeptResponses, { provide: APP_GUARD, useClass: IdempotencyGuard }],
})
export class IdempotencyModule {}
