import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { CleanUpHandler } from './clean-up.handler';
import { JobRunner } from './job-runner';
import { JobsCleanUp } from './jobs.clean-up';

/** Work that is done after the request: see `queueJob` for writing it and `JobHandler` for doing it. */
@Module({
  imports: [DiscoveryModule],
  providers: [CleanUpHandler, JobRunner, JobsCleanUp],
  exports: [JobRunner],
})
export class JobsModule {}
