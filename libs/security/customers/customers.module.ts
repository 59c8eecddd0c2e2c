import { Module } from '@nestjs/common';
import { ThrottlingModule } from '../throttling/throttling.module';
import { CustomerLimits } from './customer-limits';

/** Limits on what a customer does. */
@Module({ imports: [ThrottlingModule], providers: [CustomerLimits], exports: [CustomerLimits] })
export class CustomersModule {}
