import { Module } from '@nestjs/common';
import { UsageRecorder } from './usage-recorder';
import { UsageCleanUp } from './usage.clean-up';

/** Who calls which variant: counted by every process, read by the command line. */
@Module({ providers: [UsageCleanUp, UsageRecorder], exports: [UsageRecorder] })
export class UsageModule {}
