import { Module } from '@nestjs/common';
import { Deletions } from './deletions';
import { UserEvents } from './user-events';

/** The actions of other domains after changes and deletions of users and organisations. */
@Module({ providers: [Deletions, UserEvents], exports: [Deletions, UserEvents] })
export class LifecycleModule {}
