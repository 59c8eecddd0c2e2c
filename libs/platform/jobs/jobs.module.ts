import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { BackgroundWorks } from './background-work';
import { CleanUpHandler } from './clean-up';
import { JobRunner } from './job-runner';

/** Work after the request: `queueJob` writes a job, and a `JobHandler` runs it. */
@Module({
  imports: [DiscoveryModule],
  providers: [BackgroundWorks, CleanUpHandler, JobRunner],
  exports: [BackgroundWorks, JobRunner],
})
export class JobsModule {}
