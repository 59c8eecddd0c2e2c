import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { CleanUpHandler } from './clean-up.handler';
import { JobRunner } from './job-runner';

/** Work that is done after the request: see `queueJob` for writing it and `JobHandler` for doing it. */
@Global()
@Module({ imports: [DiscoveryModule], providers: [CleanUpHandler, JobRunner], exports: [JobRunner] })
export class JobsModule {}
