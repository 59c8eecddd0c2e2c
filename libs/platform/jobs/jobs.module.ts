import { Module } from '@nestjs/common';
import { CleanUpHandler } from './clean-up';
import { JobRunner } from './job-runner';

/** Work after the request: `queueJob` writes a job, and a `JobHandler` runs it. */
@Module({ providers: [CleanUpHandler, JobRunner], exports: [JobRunner] })
export class JobsModule {}
